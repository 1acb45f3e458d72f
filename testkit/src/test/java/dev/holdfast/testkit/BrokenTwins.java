package dev.holdfast.testkit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Locks with one fault each, run through the contract by {@link BrokenTwinsTest}, which must detect it. */
final class BrokenTwins {
    private BrokenTwins() {}

    /** Has a shorter time limit than the contract itself, so that a case that fails ends soon. */
    abstract static class Broken extends LockContract {
        @Override
        protected Duration timeout() {
            return Duration.ofMillis(500);
        }
    }

    private static LockFixture seenAs(Function<ReentrantLock, Lock> broken) {
        return new TwinFixture() {
            @Override
            Lock seen(ReentrantLock shared) {
                return broken.apply(shared);
            }
        };
    }

    /** Each client has locks of its own. */
    static final class NoExclusion extends Broken {
        @Override
        protected LockFixture newFixture() {
            return new TwinFixture() {
                @Override
                public LockClient newClient() {
                    return new TwinFixture().newClient();
                }
            };
        }
    }

    /** A release by another owner is silently accepted. */
    static final class IgnoresOwnership extends Broken {
        @Override
        protected LockFixture newFixture() {
            return seenAs(shared -> new TwinLock(shared) {
                @Override
                public void unlock() {
                    if (isHeld()) {
                        super.unlock();
                    }
                }
            });
        }
    }

    /** A holder that locks again holds no more than before. */
    static final class NoReentry extends Broken {
        @Override
        protected LockFixture newFixture() {
            return seenAs(shared -> new TwinLock(shared) {
                @Override
                public void lock() {
                    if (!isHeld()) {
                        super.lock();
                    }
                }

                @Override
                public boolean tryLock() {
                    return isHeld() || super.tryLock();
                }
            });
        }
    }

    /** An interrupt does not end a wait, and the flag is lost. */
    static final class LosesInterrupts extends Broken {
        @Override
        protected LockFixture newFixture() {
            return seenAs(shared -> new TwinLock(shared) {
                @Override
                public void lock() {
                    super.lock();
                    Thread.interrupted();
                }

                @Override
                public void lockInterruptibly() {
                    lock();
                }
            });
        }
    }

    /** An attempt waits like any other. */
    static final class WaitsInTryLock extends Broken {
        @Override
        protected LockFixture newFixture() {
            return seenAs(shared -> new TwinLock(shared) {
                @Override
                public boolean tryLock() {
                    lock();
                    return true;
                }
            });
        }
    }

    /** A wait for a busy lock ends before its time: at once, so that a slow machine does not make up for it. */
    static final class TimesOutEarly extends Broken {
        @Override
        protected LockFixture newFixture() {
            return seenAs(shared -> new TwinLock(shared) {
                @Override
                public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
                    return super.tryLock(0, unit);
                }
            });
        }
    }

    /** An owner that gave up still acquires the lock, unnoticed. */
    static final class ForgetsCancellation extends Broken {
        @Override
        protected LockFixture newFixture() {
            return new TwinFixture() {
                @Override
                boolean forgetsCancellation() {
                    return true;
                }
            };
        }
    }

    /** Residue is always reported. */
    static final class LeavesResidue extends Broken {
        @Override
        protected LockFixture newFixture() {
            return new TwinFixture() {
                @Override
                public List<String> residue() {
                    return List.of("a key");
                }
            };
        }
    }

    /** A release wakes the longest waiter, even if that one has left. */
    static final class WakesTheGone extends Broken {
        @Override
        protected LockFixture newFixture() {
            Map<ReentrantLock, Queue<Semaphore>> waiters = new ConcurrentHashMap<>();
            return new TwinFixture() {
                @Override
                Lock seen(ReentrantLock shared) {
                    return new QueueLock(
                            shared, waiters.computeIfAbsent(shared, unused -> new ConcurrentLinkedQueue<>()));
                }

                @Override
                boolean isAwaited(ReentrantLock shared) {
                    return true;
                }
            };
        }
    }

    /** A release wakes the owner that has come last. */
    static final class ServesTheLastFirst extends Broken {
        @Override
        protected LockFixture newFixture() {
            Map<ReentrantLock, Queue<Semaphore>> waiters = new ConcurrentHashMap<>();
            return new TwinFixture() {
                private Queue<Semaphore> of(ReentrantLock shared) {
                    return waiters.computeIfAbsent(
                            shared, unused -> Collections.asLifoQueue(new ConcurrentLinkedDeque<>()));
                }

                @Override
                Lock seen(ReentrantLock shared) {
                    return new QueueLock(shared, of(shared));
                }

                @Override
                boolean isAwaited(ReentrantLock shared) {
                    return true;
                }

                @Override
                int waitersInOrder(ReentrantLock shared) {
                    return of(shared).size();
                }
            };
        }
    }

    private static final class QueueLock extends TwinLock {
        private final Queue<Semaphore> waiters;

        QueueLock(ReentrantLock shared, Queue<Semaphore> waiters) {
            super(shared);
            this.waiters = waiters;
        }

        @Override
        public void lock() {
            boolean interrupted = false;
            while (true) {
                try {
                    lockInterruptibly();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            while (!tryLock(1, TimeUnit.DAYS)) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
            long deadline = System.nanoTime() + unit.toNanos(wait);
            while (!super.tryLock(0, unit)) {
                Semaphore wakeUp = new Semaphore(0);
                waiters.add(wakeUp);
                if (tryLock()) {
                    waiters.remove(wakeUp);
                    return true;
                }
                if (!wakeUp.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void unlock() {
            super.unlock();
            Semaphore longest = isHeld() ? null : waiters.poll();
            if (longest != null) {
                longest.release();
            }
        }
    }
}
