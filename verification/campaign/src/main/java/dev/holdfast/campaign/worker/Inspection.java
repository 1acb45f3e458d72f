package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.campaign.history.What;
import java.util.Optional;

/**
 * Inspects a lock or a semaphore in Redis, as its holder.
 *
 * @param look records what Redis shows
 */
record Inspection(OwnerDiary owner, Look look) {
    /** Reads the state in Redis. */
    interface Look {
        void carryOut(Call call);
    }

    /** @param nameInRedis the name of the owner in Redis */
    static Inspection of(DistributedLock lock, OwnerDiary owner, String nameInRedis) {
        return new Inspection(owner, call -> {
            LockInfo seen = lock.inspect();
            int holds = seen.holders().stream()
                    .filter(holder -> holder.owner().equals(nameInRedis))
                    .mapToInt(LockHolder::holdCount)
                    .sum();
            call.inspected(holds, seen.remainingLease());
        });
    }

    /** @param nameInRedis the name of the owner in Redis */
    static Inspection of(DistributedSemaphore semaphore, OwnerDiary owner, String nameInRedis) {
        return new Inspection(owner, call -> {
            Optional<SemaphoreInfo.Holder> mine = semaphore.inspect().holders().stream()
                    .filter(holder -> holder.owner().equals(nameInRedis))
                    .findFirst();
            call.inspected(mine.isPresent() ? 1 : 0, mine.map(SemaphoreInfo.Holder::remainingLease));
        });
    }

    /** @param name the name of the lock or the semaphore */
    void carryOut(String name) {
        Call call = owner.calls(What.INSPECT, name, Optional.empty());
        try {
            look.carryOut(call);
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }
}
