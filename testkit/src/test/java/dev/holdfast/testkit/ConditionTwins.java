package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/** Conditions with one fault each, run through the contract by {@link ConditionTwinsTest}, which must detect it. */
@SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry"}) // callers loop; no work is done under the lock
final class ConditionTwins {
    private ConditionTwins() {}

    /** Has a shorter time limit than the contract itself, so that a case that fails ends soon. */
    abstract static class Broken extends ConditionContract {
        private final BiFunction<ReentrantLock, Condition, Condition> broken;

        Broken(BiFunction<ReentrantLock, Condition, Condition> broken) {
            this.broken = broken;
        }

        @Override
        protected final Duration timeout() {
            return Duration.ofMillis(500);
        }

        @Override
        protected final LockFixture newFixture() {
            return new TwinFixture() {
                @Override
                Condition seen(ReentrantLock lock, Condition shared) {
                    return broken.apply(lock, shared);
                }
            };
        }
    }

    /** A signal wakes all. */
    static final class WakesAll extends Broken {
        WakesAll() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void signal() {
                    super.signalAll();
                }
            });
        }
    }

    /** A signal to all wakes one. */
    static final class WakesOne extends Broken {
        WakesOne() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void signalAll() {
                    super.signal();
                }
            });
        }
    }

    /** A signal wakes nobody. */
    static final class LosesSignals extends Broken {
        LosesSignals() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void signal() {}
            });
        }
    }

    /** A wait ends with one level. */
    static final class ForgetsLevels extends Broken {
        ForgetsLevels() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void await() throws InterruptedException {
                    super.await();
                    while (lock.getHoldCount() > 1) {
                        lock.unlock();
                    }
                }
            });
        }
    }

    /** A timed wait reports a signal that it has not received. */
    static final class ReportsASignal extends Broken {
        ReportsASignal() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public boolean await(long time, TimeUnit unit) throws InterruptedException {
                    boolean unused = super.await(time, unit);
                    return true;
                }
            });
        }
    }

    /** A timed wait never reports its signal. */
    static final class MissesItsSignal extends Broken {
        MissesItsSignal() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public long awaitNanos(long nanosTimeout) throws InterruptedException {
                    return Math.min(0, super.awaitNanos(nanosTimeout));
                }
            });
        }
    }

    /** An interrupt does not end a wait, and the flag is lost. */
    static final class LosesInterrupts extends Broken {
        LosesInterrupts() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void await() {
                    awaitUninterruptibly();
                }

                @Override
                public void awaitUninterruptibly() {
                    super.awaitUninterruptibly();
                    Thread.interrupted();
                }
            });
        }
    }

    /** A thread that does not hold the lock acquires it. */
    static final class AcquiresTheLock extends Broken {
        AcquiresTheLock() {
            super((lock, shared) -> new TwinCondition(lock, shared) {
                @Override
                public void signal() {
                    lock.lock();
                    super.signal();
                    lock.unlock();
                }
            });
        }
    }
}
