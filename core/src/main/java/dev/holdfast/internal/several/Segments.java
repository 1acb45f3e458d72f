package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Admission;
import dev.holdfast.internal.session.Session;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls of a client for a segment of a lock, and the queues of those that wait. */
public final class Segments {
    /**
     * Calls that share a queue: what is granted to one of them must suit the others.
     *
     * @param size the number of segments
     */
    private record Shared(String name, int size, LeaseRequest lease) {}

    private final ConcurrentMap<Shared, SegmentQueue> queues = new ConcurrentHashMap<>();
    private final Session session;
    private final Acquisitions acquisitions;
    private final LocalLocks locks;
    private final Predicate<LockKey> isInReach;
    private final Function<LockKey, CompletableFuture<Boolean>> isLocked;

    /**
     * The segments of a client.
     *
     * @param isInReach whether the node of a segment accepts commands at present
     * @param isLocked queries Redis
     */
    public Segments(
            Session session,
            Acquisitions acquisitions,
            LocalLocks locks,
            Predicate<LockKey> isInReach,
            Function<LockKey, CompletableFuture<Boolean>> isLocked) {
        this.session = session;
        this.acquisitions = acquisitions;
        this.locks = locks;
        this.isInReach = isInReach;
        this.isLocked = isLocked;
    }

    /**
     * Begins a call for one of these segments.
     *
     * @param waitNanos 0 not to wait, {@link AcquireRequest#FOR_EVER} to wait without limit
     * @throws IllegalStateException if the client is closed
     */
    public SegmentCall begin(SegmentSet lock, BitSet wanted, LeaseRequest lease, long waitNanos) {
        if (session.admission().refuses(false)) {
            throw Admission.clientIsClosed();
        }
        SegmentCall call = new SegmentCall(this, lock, wanted, lease, waitNanos);
        call.begin();
        return call;
    }

    Session session() {
        return session;
    }

    boolean isInUse(LockKey segment) {
        return locks.isInUse(segment);
    }

    boolean isInReach(LockKey segment) {
        return isInReach.test(segment);
    }

    /** {@return whether an owner has this segment, as Redis replies} */
    CompletableFuture<Boolean> isLocked(LockKey segment) {
        try {
            return isLocked.apply(segment);
        } catch (IllegalStateException closed) {
            return CompletableFuture.failedFuture(closed);
        }
    }

    /** {@return one attempt to acquire a segment on behalf of this call, not begun} */
    PartAcquisition attempt(SegmentCall call, int segment, PartAcquisition.Whole whole) {
        return part(call.lock(), segment, call.lease(), 0, call.waits(), whole);
    }

    /** {@return a request for a segment that waits without limit, not begun} */
    PartAcquisition request(SegmentSet lock, int segment, LeaseRequest lease, PartAcquisition.Whole whole) {
        return part(lock, segment, lease, AcquireRequest.FOR_EVER, true, whole);
    }

    private PartAcquisition part(
            SegmentSet lock,
            int segment,
            LeaseRequest lease,
            long waitNanos,
            boolean callWaits,
            PartAcquisition.Whole whole) {
        AcquireRequest wanted = new AcquireRequest(
                lock.key(segment), session.owners().newHandleId(), Ownership.HANDLE, lease, waitNanos, callWaits);
        return new PartAcquisition(acquisitions, wanted, segment, null, null, whole);
    }

    /** {@return the queue that a call waits in; null if no such call waits} */
    @Nullable
    SegmentQueue queueOf(SegmentSet lock, LeaseRequest lease) {
        return queues.get(new Shared(lock.name(), lock.size(), lease));
    }

    /** Adds a call to its queue, which is created if there is none. */
    void join(SegmentCall call) {
        Shared shared = new Shared(call.lock().name(), call.lock().size(), call.lease());
        while (true) {
            SegmentQueue queue =
                    queues.computeIfAbsent(shared, key -> new SegmentQueue(this, call.lock(), call.lease()));
            if (queue.join(call)) {
                return;
            }
            remove(queue);
        }
    }

    void remove(SegmentQueue retired) {
        queues.remove(new Shared(retired.lock().name(), retired.lock().size(), retired.lease()), retired);
    }

    /** {@return the number of queues} */
    public int size() {
        return queues.size();
    }
}
