package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;

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
            if (!ask(lock, turn)) {
                call.refused();
                return Optional.empty();
            }
            return Optional.of(new Level(lock, owner.granted(turn, call, 0, lock.getHoldCount())));
        } catch (InterruptedException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        } finally {
            alarm.turnOff();
        }
    }

    private static boolean ask(DistributedLock lock, Turn turn) throws InterruptedException {
        Optional<Duration> lease = turn.lease();
        switch (turn.way()) {
            case LOCK -> lease.ifPresentOrElse(lock::lock, lock::lock);
            case LOCK_INTERRUPTIBLY -> {
                if (lease.isPresent()) {
                    lock.lockInterruptibly(lease.get());
                } else {
                    lock.lockInterruptibly();
                }
            }
            case TRY -> {
                return lease.isPresent() ? lock.tryLock(Duration.ZERO, lease.get()) : lock.tryLock();
            }
            case TRY_WAIT -> {
                return lease.isPresent()
                        ? lock.tryLock(turn.longestWait(), lease.get())
                        : lock.tryLock(turn.longestWait());
            }
        }
        return true;
    }

    /** One level of the thread. */
    private final class Level implements Stay {
        private final DistributedLock lock;
        private final Op op;

        Level(DistributedLock lock, Op op) {
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
