package dev.holdfast.testkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Clients in a single JVM that share fair {@link ReentrantReadWriteLock}s; each broken twin overrides one aspect. */
class ReadWriteTwinFixture implements ReadWriteFixture {
    private final Map<String, ReentrantReadWriteLock> locks = new ConcurrentHashMap<>();

    private ReentrantReadWriteLock shared(String name) {
        return locks.computeIfAbsent(name, unused -> newLock());
    }

    ReentrantReadWriteLock newLock() {
        return new ReentrantReadWriteLock(true);
    }

    /** {@return the lock that a client returns for it} */
    ReadWriteLock seen(ReentrantReadWriteLock shared) {
        return shared;
    }

    @Override
    public ReadWriteClient newClient() {
        return new ReadWriteClient() {
            @Override
            public ReadWriteLock readWriteLock(String name) {
                return seen(shared(name));
            }

            @Override
            public AsyncOwner newOwner(String name) {
                throw new UnsupportedOperationException("owned by threads alone");
            }

            @Override
            public boolean isHeldByCurrentThread(String name) {
                return shared(name).isWriteLockedByCurrentThread();
            }

            @Override
            public int holdCount(String name) {
                return shared(name).getWriteHoldCount();
            }

            @Override
            public boolean isAwaited(String name) {
                return shared(name).hasQueuedThreads();
            }

            @Override
            public List<String> residue() {
                return List.of();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<String> residue() {
        return locks.values().stream()
                .filter(lock -> lock.isWriteLocked() || lock.getReadLockCount() > 0 || lock.hasQueuedThreads())
                .map(ReentrantReadWriteLock::toString)
                .toList();
    }

    @Override
    public void close() {}
}
