package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.campaign.history.What;
import java.util.Optional;

/**
 * Inspects a lock in Redis, as its holder.
 *
 * @param nameInRedis the name of the owner in Redis
 */
record Inspection(DistributedLock lock, OwnerDiary owner, String nameInRedis) {
    /** @param name the name of the lock */
    void carryOut(String name) {
        Call call = owner.calls(What.INSPECT, name, Optional.empty());
        try {
            LockInfo seen = lock.inspect();
            int holds = seen.holders().stream()
                    .filter(holder -> holder.owner().equals(nameInRedis))
                    .mapToInt(LockHolder::holdCount)
                    .sum();
            call.inspected(holds, seen.remainingLease());
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }
}
