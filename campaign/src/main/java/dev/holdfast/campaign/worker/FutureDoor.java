package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
            Object answer = Patience.await(FutureAsk.of(lock, turn), turn.patience());
            OptionalLong fence = FutureAsk.token(answer, lock);
            if (fence.isEmpty()) {
                call.refused();
                return Optional.empty();
            }
            Op op = owner.granted(turn, call, fence.getAsLong(), lock.getHoldCount());
            return Optional.of(new Level(lock, op, fence.getAsLong()));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    /** One level of the owner. */
    private final class Level implements Stay {
        private final OwnedLock lock;
        private final Op op;
        private final long fence;

        Level(OwnedLock lock, Op op, long fence) {
            this.lock = lock;
            this.op = op;
            this.fence = fence;
        }

        @Override
        public String lock() {
            return lock.name();
        }

        @Override
        public Op op() {
            return op;
        }

        @Override
        public long fence() {
            return fence;
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
