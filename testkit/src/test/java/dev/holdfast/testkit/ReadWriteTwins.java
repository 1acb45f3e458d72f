package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/** Read-write locks with one fault each, run through the contract by {@link ReadWriteTwinsTest}, which must detect it. */
final class ReadWriteTwins {
    private ReadWriteTwins() {}

    /** Has a shorter time limit than the contract itself, so that a case that fails ends soon. */
    abstract static class Broken extends ReadWriteLockContract {
        @Override
        protected Duration timeout() {
            return Duration.ofMillis(500);
        }
    }

    private record Sides(Lock readLock, Lock writeLock) implements ReadWriteLock {}

    private static ReadWriteFixture seenAs(Function<ReentrantReadWriteLock, ReadWriteLock> broken) {
        return new ReadWriteTwinFixture() {
            @Override
            ReadWriteLock seen(ReentrantReadWriteLock shared) {
                return broken.apply(shared);
            }
        };
    }

    /** Each client has locks of its own. */
    static final class NoExclusion extends Broken {
        @Override
        protected ReadWriteFixture newFixture() {
            return new ReadWriteTwinFixture() {
                @Override
                public ReadWriteClient newClient() {
                    return new ReadWriteTwinFixture().newClient();
                }
            };
        }
    }

    /** Both sides are one exclusive lock. */
    static final class NoSharing extends Broken {
        @Override
        protected ReadWriteFixture newFixture() {
            return seenAs(shared -> new Sides(shared.writeLock(), shared.writeLock()));
        }
    }

    /** Readers pass a writer that waits. */
    static final class StarvesWriters extends Broken {
        @Override
        protected ReadWriteFixture newFixture() {
            return seenAs(shared -> new Sides(
                    new Delegate(shared.readLock()) {
                        @Override
                        public void lock() {
                            while (!tryLock()) {
                                Thread.onSpinWait();
                            }
                        }

                        @Override
                        public boolean tryLock(long wait, TimeUnit unit) {
                            return tryLock();
                        }
                    },
                    shared.writeLock()));
        }
    }

    /** The release of the write lock releases the read lock, too. */
    static final class EndsDowngrades extends Broken {
        @Override
        protected ReadWriteFixture newFixture() {
            return seenAs(shared -> new Sides(shared.readLock(), new Delegate(shared.writeLock()) {
                @Override
                public void unlock() {
                    while (shared.getReadHoldCount() > 0) {
                        shared.readLock().unlock();
                    }
                    super.unlock();
                }
            }));
        }
    }

    /** A reader that tries to write is told that it does. */
    static final class Upgrades extends Broken {
        @Override
        protected ReadWriteFixture newFixture() {
            return seenAs(shared -> new Sides(shared.readLock(), new Delegate(shared.writeLock()) {
                @Override
                public boolean tryLock() {
                    return shared.getReadHoldCount() > 0 || super.tryLock();
                }
            }));
        }
    }

    /** A lock that behaves as another one does. */
    private static class Delegate implements Lock {
        private final Lock lock;

        Delegate(Lock lock) {
            this.lock = lock;
        }

        @Override
        public void lock() {
            lock.lock();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            lock.lockInterruptibly();
        }

        @Override
        public boolean tryLock() {
            return lock.tryLock();
        }

        @Override
        public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
            return lock.tryLock(wait, unit);
        }

        @Override
        public void unlock() {
            lock.unlock();
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a lock of this kind has no conditions");
        }
    }
}
