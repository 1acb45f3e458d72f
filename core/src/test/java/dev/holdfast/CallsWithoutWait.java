package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The calls that never wait for a lock, and so never for a failover either. */
public enum CallsWithoutWait {
    TRY_LOCK {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getLock(name).tryLock();
        }
    },
    TRY_LOCK_ZERO {
        @Override
        public Object run(Holdfast client, String name) throws InterruptedException {
            return client.getFencedLock(name).tryLock(Duration.ZERO);
        }
    },
    TRY_ACQUIRE_ZERO {
        @Override
        public Object run(Holdfast client, String name) throws InterruptedException {
            return client.getLock(name).tryAcquire(Duration.ZERO);
        }
    },
    TRY_LOCK_ASYNC {
        @Override
        public Object run(Holdfast client, String name) {
            return joined(client.getLock(name).ownedBy(8).tryLockAsync());
        }
    },
    TRY_ACQUIRE_ASYNC {
        @Override
        public Object run(Holdfast client, String name) {
            return joined(client.getLock(name).tryAcquireAsync(Duration.ZERO));
        }
    },
    RE_ENTRY {
        @Override
        public void prepare(Holdfast client, String name) {
            joined(client.getLock(name).ownedBy(OWNER).lockAsync());
        }

        @Override
        public Object run(Holdfast client, String name) {
            return joined(client.getLock(name).ownedBy(OWNER).tryLockAsync(Duration.ZERO));
        }

        @Override
        public void cleanUp(Holdfast client, String name) {
            OwnedLock owner = client.getLock(name).ownedBy(OWNER);
            while (owner.getHoldCount() > 0) {
                joined(owner.unlockAsync());
            }
        }
    },
    MULTI_LOCK {
        @Override
        public Object run(Holdfast client, String name) {
            return Holdfast.multiLock(client.getLock(name), client.getLock(name + " too"))
                    .tryLock();
        }
    },
    /** All segments are in the slot of the name. */
    SEGMENT {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getSegmentedLock("{" + name + "}", 3).tryAcquire();
        }
    },
    ONE_SEGMENT_ASYNC {
        @Override
        public Object run(Holdfast client, String name) {
            return joined(client.getSegmentedLock("{" + name + "}", 1).tryAcquireAsync(Duration.ZERO));
        }
    },
    IS_LOCKED {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getLock(name).isLocked();
        }
    },
    REMAINING_LEASE {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getLock(name).remainingLease();
        }
    },
    INSPECT {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getLock(name).inspect();
        }
    },
    FORCE_UNLOCK {
        @Override
        public Object run(Holdfast client, String name) {
            return client.getLock(name).forceUnlock();
        }
    };

    private static final long OWNER = 7;

    /** Called while Redis works. */
    public void prepare(Holdfast client, String name) {}

    /** {@return the call's result} Fails as the call does. */
    public abstract Object run(Holdfast client, String name) throws InterruptedException;

    /** Called when Redis works again. */
    public void cleanUp(Holdfast client, String name) {}

    private static Object joined(CompletableFuture<?> future) {
        try {
            return String.valueOf(future.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
