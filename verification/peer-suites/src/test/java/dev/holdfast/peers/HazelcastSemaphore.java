package dev.holdfast.peers;

import com.hazelcast.cp.ISemaphore;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The semaphore of Holdfast with Hazelcast's interface, in which permits are set once for all, and have no handles: each request names as
 * many as were set, and a release is that of a request for as many.
 */
final class HazelcastSemaphore implements ISemaphore {
    private final Holdfast client;
    private final String name;
    private final List<Permits> held = new CopyOnWriteArrayList<>();
    private volatile int limit;

    HazelcastSemaphore(Holdfast client, String name) {
        this.client = client;
        this.name = name;
    }

    private DistributedSemaphore target() {
        return client.getSemaphore(name, limit);
    }

    private boolean keep(Optional<Permits> permits) {
        permits.ifPresent(held::add);
        return permits.isPresent();
    }

    @Override
    public boolean init(int permits) {
        limit = permits;
        return true;
    }

    @Override
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    @Override
    public void acquire(int permits) throws InterruptedException {
        held.add(target().acquireInterruptibly(permits));
    }

    @Override
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public boolean tryAcquire(int permits) {
        return keep(target().tryAcquire(permits));
    }

    @Override
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    @Override
    public boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException {
        return keep(target().tryAcquire(permits, Duration.of(timeout, unit.toChronoUnit())));
    }

    @Override
    public void release() {
        release(1);
    }

    @Override
    public void release(int permits) {
        Permits released = held.stream()
                .filter(hold -> hold.permits() == permits)
                .findFirst()
                .orElseThrow();
        held.remove(released);
        released.close();
    }

    @Override
    public int availablePermits() {
        return target().availablePermits();
    }

    /** Acquires all that are free at this moment. */
    @Override
    public int drainPermits() {
        int free = availablePermits();
        return tryAcquire(free) ? free : 0;
    }

    @Override
    public void reducePermits(int reduction) {
        throw new UnsupportedOperationException("each request names the number of permits");
    }

    @Override
    public void increasePermits(int increase) {
        throw new UnsupportedOperationException("each request names the number of permits");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getPartitionKey() {
        throw new UnsupportedOperationException("Redis has no partition keys");
    }

    @Override
    public String getServiceName() {
        throw new UnsupportedOperationException("the semaphore is not Hazelcast's");
    }

    @Override
    public void destroy() {
        throw new UnsupportedOperationException("the semaphore cannot be destroyed");
    }
}
