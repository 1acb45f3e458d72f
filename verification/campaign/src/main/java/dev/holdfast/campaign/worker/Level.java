package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import java.time.Duration;

/**
 * One level of an owner that can enter again what it holds.
 *
 * @param lock as its owner sees it
 * @param release gives one level back, blocking or by a future
 */
record Level(Grant grant, OwnedLock lock, OwnerDiary owner, Inspection inspection, Release release) implements Stay {
    /** How a level is given back. */
    interface Release {
        void run() throws Exception;
    }

    @Override
    public boolean isValid() {
        return lock.isHeld();
    }

    @Override
    public void extend(Duration lease) {
        // The owner enters again to the same effect.
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
