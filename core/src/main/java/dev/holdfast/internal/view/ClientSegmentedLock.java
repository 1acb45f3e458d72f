package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.several.SegmentCall;
import dev.holdfast.internal.several.SegmentSet;
import dev.holdfast.internal.several.Segments;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The view of a segmented lock in one client: validates arguments, and delegates the rest.
 *
 * @see "SegmentedLockTest"
 */
final class ClientSegmentedLock implements SegmentedLock {
    private final ConnectedClient connected;
    private final Client client;
    private final Segments segments;
    private final SegmentSet lock;

    /** Never modified. */
    private final BitSet wanted;

    ClientSegmentedLock(ConnectedClient connected, Segments segments, SegmentSet lock) {
        this(connected, segments, lock, lock.all());
    }

    private ClientSegmentedLock(ConnectedClient connected, Segments segments, SegmentSet lock, BitSet wanted) {
        this.connected = connected;
        this.client = connected.client();
        this.segments = segments;
        this.lock = lock;
        this.wanted = wanted;
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public int size() {
        return lock.size();
    }

    @Override
    public SortedSet<Integer> segments() {
        return Collections.unmodifiableSortedSet(
                wanted.stream().boxed().collect(Collectors.toCollection(TreeSet::new)));
    }

    @Override
    public boolean isEmpty() {
        return wanted.isEmpty();
    }

    @Override
    public DistributedLock segment(int segment) {
        return new ClientLock(connected, lock.key(segment));
    }

    @Override
    public SegmentedLock without(int... excluded) {
        Objects.requireNonNull(excluded, "segments must not be null");
        BitSet left = (BitSet) wanted.clone();
        for (int segment : excluded) {
            left.clear(lock.index(segment));
        }
        return new ClientSegmentedLock(connected, segments, lock, left);
    }

    // --- Blocking.

    @Override
    public SegmentLease acquire() {
        return acquire(watchedLease());
    }

    @Override
    public SegmentLease acquire(Duration lease) {
        return acquire(LeaseRequest.explicit(lease));
    }

    private SegmentLease acquire(LeaseRequest lease) {
        return blocking(lease, AcquireRequest.FOR_EVER).await(this::granted);
    }

    @Override
    public SegmentLease acquireInterruptibly() throws InterruptedException {
        return acquireInterruptibly(watchedLease());
    }

    @Override
    public SegmentLease acquireInterruptibly(Duration lease) throws InterruptedException {
        return acquireInterruptibly(LeaseRequest.explicit(lease));
    }

    private SegmentLease acquireInterruptibly(LeaseRequest lease) throws InterruptedException {
        refuseIfInterrupted();
        return blocking(lease, AcquireRequest.FOR_EVER).awaitInterruptibly(this::granted);
    }

    @Override
    public Optional<SegmentLease> tryAcquire() {
        return blocking(watchedLease(), 0).await(this::handles);
    }

    @Override
    public Optional<SegmentLease> tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(watchedLease(), Arguments.wait(wait));
    }

    @Override
    public Optional<SegmentLease> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return tryAcquire(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private Optional<SegmentLease> tryAcquire(LeaseRequest lease, Duration wait) throws InterruptedException {
        refuseIfInterrupted();
        return blocking(lease, wait.toNanos()).awaitInterruptibly(this::handles);
    }

    private SegmentCall blocking(LeaseRequest lease, long waitNanos) {
        client.refuseOnIoThread();
        return begin(lease, waitNanos);
    }

    private SegmentLease granted(Optional<PartAcquisition> granted) {
        return handle(granted.orElseThrow(AcquireRequest::neverRefused));
    }

    private Optional<SegmentLease> handles(Optional<PartAcquisition> granted) {
        return granted.map(this::handle);
    }

    private SegmentLease handle(PartAcquisition granted) {
        return SegmentHandle.of(client, granted, client.session().origin());
    }

    private void refuseIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for a segment of lock '" + name() + "'");
        }
    }

    // --- Async.

    @Override
    public CompletableFuture<SegmentLease> acquireAsync() {
        return acquireAsync(watchedLease());
    }

    @Override
    public CompletableFuture<SegmentLease> acquireAsync(Duration lease) {
        return acquireAsync(LeaseRequest.explicit(lease));
    }

    private CompletableFuture<SegmentLease> acquireAsync(LeaseRequest lease) {
        @Nullable AcquireOrigin origin = client.session().origin();
        return begin(lease, AcquireRequest.FOR_EVER)
                .toFuture(
                        granted -> SegmentHandle.of(client, granted.orElseThrow(AcquireRequest::neverRefused), origin));
    }

    @Override
    public CompletableFuture<Optional<SegmentLease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(watchedLease(), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<Optional<SegmentLease>> tryAcquireAsync(Duration wait, Duration lease) {
        return tryAcquireAsync(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private CompletableFuture<Optional<SegmentLease>> tryAcquireAsync(LeaseRequest lease, Duration wait) {
        @Nullable AcquireOrigin origin = client.session().origin();
        return begin(lease, wait.toNanos())
                .toFuture(granted -> granted.map(part -> SegmentHandle.of(client, part, origin)));
    }

    private LeaseRequest watchedLease() {
        return client.holds().watchedLease();
    }

    private SegmentCall begin(LeaseRequest lease, long waitNanos) {
        if (wanted.isEmpty()) {
            throw new IllegalStateException("no segment is left: this view does without all " + size()
                    + " segments of lock '" + name() + "'; check isEmpty()");
        }
        return segments.begin(lock, wanted, lease, waitNanos);
    }

    @Override
    public String toString() {
        return "SegmentedLock[" + lock.name() + ", " + wanted.cardinality() + " of " + lock.size() + " segments]";
    }
}
