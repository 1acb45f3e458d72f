package dev.holdfast.benchmarks.system;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's own fair lock, which excludes the threads of one process: the upper bound for threads that share a client. */
final class LocalLocks implements LockClient {
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(locks.computeIfAbsent(name, key -> new ReentrantLock(true)));
    }

    @Override
    public void close() {}
}
