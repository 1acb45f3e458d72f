package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import java.time.Duration;

/**
 * One level of an owner that can re-enter what it holds.
 *
 * @param lock the lock, as used by its owner
 * @param release releases one level, blocking or by a future
 */
record Level(Grant grant, OwnedLock lock, OwnerDiary owner, Inspection inspection, Release release) implements Stay {
    /** Releases a level. */
    interface Release {
        void run() throws Exception;
    }

    @Override
    public boolean isValid() {
        return lock.isHeld();
    }

    @Override
    public void extend(Duration lease) {
        // A re-entry has the same effect.
    }

    @Override
    public void inspect() {
        inspection.carryOut(grant.lock());
    }

    @Override
    public void leave() {
        owner.leaves(grant.lock(), lock.getHoldCount(), call -> {
            release.run();
            call.released(lock.getHoldCount());
        });
    }
}
