package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** One owner by futures: an id that is no thread, or the thread that asks. */
final class FutureDoor implements Door {
    private final Function<String, OwnedLock> locks;
    private final OwnerDiary owner;

    private FutureDoor(HoldfastClient client, long ownerId, Function<String, OwnedLock> locks) {
        this.locks = locks;
        this.owner = client.owner(By.ASYNC, Long.toString(ownerId));
    }

    /** {@return a door for the calling thread} */
    static FutureDoor ofThread(HoldfastClient client) {
        return new FutureDoor(client, Thread.currentThread().getId(), name -> new CallingThread(client.lock(name)));
    }

    /** {@return a door for an owner of its own} */
    static FutureDoor ofOwner(HoldfastClient client, long ownerId) {
        return new FutureDoor(client, ownerId, name -> client.lock(name).ownedBy(ownerId));
    }

    @Override
    public boolean isReentrant() {
        return true;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        OwnedLock lock = locks.apply(turn.lock());
        Call call = owner.asks(turn);
        try {
            if (Boolean.FALSE.equals(Patience.await(ask(lock, turn), turn.patience()))) {
                call.refused();
                return Optional.empty();
            }
            return Optional.of(new Level(lock, owner.granted(turn, call, 0, lock.getHoldCount())));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    private static CompletableFuture<?> ask(OwnedLock lock, Turn turn) {
        Optional<Duration> lease = turn.lease();
        return switch (turn.way()) {
            case LOCK, LOCK_INTERRUPTIBLY -> lease.isPresent() ? lock.lockAsync(lease.get()) : lock.lockAsync();
            case TRY -> lease.isPresent() ? lock.tryLockAsync(Duration.ZERO, lease.get()) : lock.tryLockAsync();
            case TRY_WAIT ->
                lease.isPresent()
                        ? lock.tryLockAsync(turn.longestWait(), lease.get())
                        : lock.tryLockAsync(turn.longestWait());
        };
    }

    /** One level of the owner. */
    private final class Level implements Stay {
        private final OwnedLock lock;
        private final Op op;

        Level(OwnedLock lock, Op op) {
            this.lock = lock;
            this.op = op;
        }

        @Override
        public Op op() {
            return op;
        }

        @Override
        public long fence() {
            return 0;
        }

        @Override
        public boolean isValid() {
            return lock.isHeld();
        }

        @Override
        public void extend(Duration lease) {
            // An owner enters again to the same effect.
        }

        @Override
        public void leave() {
            owner.leaves(lock.name(), lock.getHoldCount(), call -> {
                lock.unlockAsync().get();
                call.released(lock.getHoldCount());
            });
        }
    }
}
