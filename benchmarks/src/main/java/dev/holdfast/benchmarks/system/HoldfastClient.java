package dev.holdfast.benchmarks.system;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.OwnedLock;
import dev.holdfast.SegmentedLock;
import dev.holdfast.Timeouts;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Holdfast with its defaults, except for the settings that are compared. */
final class HoldfastClient implements LockClient {
    /** More than the owner ids that any workload uses. */
    private static final int MOST_OWNERS = 131_072;

    private final Holdfast holdfast;

    /** The owner ids, all drawn with the first asynchronous lock. */
    private long[] owners = {};

    /** @param settings the settings that are compared */
    HoldfastClient(String uri, Duration watchdogTimeout, UnaryOperator<HoldfastBuilder> settings) {
        holdfast = settings.apply(Holdfast.builder().redisUri(uri).watchdogTimeout(watchdogTimeout))
                .build();
    }

    private synchronized long owner(long number) {
        if (owners.length == 0) {
            owners =
                    LongStream.generate(holdfast::newOwnerId).limit(MOST_OWNERS).toArray();
        }
        return owners[Math.toIntExact(number)];
    }

    Holdfast holdfast() {
        return holdfast;
    }

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(holdfast.getLock(name));
    }

    @Override
    public BlockingLock fairLock(String name) {
        return BlockingLock.of(holdfast.getFairLock(name));
    }

    @Override
    public BlockingLock sideOf(String name, boolean reads) {
        DistributedReadWriteLock both = holdfast.getReadWriteLock(name);
        return BlockingLock.of(reads ? both.readLock() : both.writeLock());
    }

    @Override
    public Condition condition(String lock, String name) {
        return holdfast.getLock(lock).getCondition(name);
    }

    @Override
    public Latch latch(String name) {
        DistributedCountDownLatch latch = holdfast.getCountDownLatch(name);
        return Latch.of(latch::trySetCount, latch::countDown, latch::await);
    }

    @Override
    public Limit limit(String name, int permits) {
        DistributedSemaphore semaphore = holdfast.getSemaphore(name, permits);
        return wanted -> semaphore.acquire(wanted)::close;
    }

    @Override
    public Limit segments(String name, int segments) {
        SegmentedLock parts = holdfast.getSegmentedLock(name, segments);
        return one -> parts.acquire()::close;
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        return async(holdfast.getLock(name).ownedBy(owner(owner)));
    }

    @Override
    public AsyncLock asyncReader(String name, long owner) {
        return async(holdfast.getReadWriteLock(name).readLock().ownedBy(owner(owner)));
    }

    private static AsyncLock async(OwnedLock lock) {
        return new AsyncLock() {
            @Override
            public CompletionStage<?> lock() {
                return lock.lockAsync();
            }

            @Override
            public CompletionStage<?> unlock() {
                return lock.unlockAsync();
            }
        };
    }

    @Override
    public long deadlines() {
        return Timeouts.scheduled(holdfast);
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
