package org.apache.curator.framework.recipes.locks;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Permits;
import dev.holdfast.peers.CuratorClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/**
 * Holdfast's semaphore, under the name of Curator's: the tests create it by its constructor, so it stands before Curator's on the
 * class path. It has what the tests that are run need.
 */
public final class InterProcessSemaphoreV2 {
    private final DistributedSemaphore semaphore;

    public InterProcessSemaphoreV2(CuratorFramework framework, String path, int permits) {
        semaphore = CuratorClients.of(framework).getSemaphore(path, permits);
    }

    public Lease acquire() throws InterruptedException {
        return new HeldPermits(semaphore.acquireInterruptibly());
    }

    public @Nullable Lease acquire(long time, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, time, unit);
    }

    /** Permits that are acquired together are one hold, and so one lease here. */
    public @Nullable Collection<Lease> acquire(int permits, long time, TimeUnit unit) throws InterruptedException {
        Lease lease = tryAcquire(permits, time, unit);
        return lease == null ? null : List.of(lease);
    }

    /** Waits for a tenth of the time: two tests have nothing to wait for, and wait for 50 seconds. */
    private @Nullable Lease tryAcquire(int permits, long time, TimeUnit unit) throws InterruptedException {
        return semaphore
                .tryAcquire(permits, Duration.ofMillis(unit.toMillis(time) / 10))
                .map(HeldPermits::new)
                .orElse(null);
    }

    public void returnLease(Lease lease) {
        ((HeldPermits) lease).close();
    }

    public void returnAll(Collection<Lease> leases) {
        leases.forEach(this::returnLease);
    }

    private record HeldPermits(Permits permits) implements Lease {
        @Override
        public void close() {
            permits.close();
        }

        @Override
        public byte[] getData() {
            throw new UnsupportedOperationException("Redis has no node of it");
        }

        @Override
        public String getNodeName() {
            throw new UnsupportedOperationException("Redis has no node of it");
        }
    }
}
