package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The thread that asks is the owner, and blocks. */
final class BlockingDoor implements Door {
    private final HoldfastClient client;
    private final OwnerDiary owner;

    BlockingDoor(HoldfastClient client) {
        this.client = client;
        this.owner =
                client.owner(By.BLOCKING, Long.toString(Thread.currentThread().getId()));
    }

    @Override
    public boolean isReentrant() {
        return true;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        DistributedLock lock = client.lock(turn.lock());
        Call call = owner.asks(turn);
        Alarm alarm = client.alarm(turn.patience());
        try {
            OptionalLong fence = BlockingAsk.of(lock, turn);
            if (fence.isEmpty()) {
                call.refused();
                return Optional.empty();
            }
            Op op = owner.granted(turn, call, fence.getAsLong(), lock.getHoldCount());
            return Optional.of(new Level(lock, op, fence.getAsLong()));
        } catch (InterruptedException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        } finally {
            alarm.turnOff();
        }
    }

    /** One level of the thread. */
    private final class Level implements Stay {
        private final DistributedLock lock;
        private final Op op;
        private final long fence;

        Level(DistributedLock lock, Op op, long fence) {
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
            return lock.isHeldByCurrentThread();
        }

        @Override
        public void extend(Duration lease) {
            // A thread enters again to the same effect.
        }

        @Override
        public void leave() {
            owner.leaves(lock.name(), lock.getHoldCount(), call -> {
                lock.unlock();
                call.released(lock.getHoldCount());
            });
        }
    }
}
