package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;

/**
 * What a caller requests.
 *
 * @param waitNanos how long a holder is waited for: 0 to attempt once, {@link #FOR_EVER} to wait without limit
 * @param ofWaitingCall whether the call that it is part of may wait. If not, it ends a command timeout after its beginning,
 *     and at once if there has been no connection to the lock's node for that long; if so, an attempt ends when the longest
 *     outage has passed
 * @param amount how much of the lock, if its kind counts that; 1 for one that is held or not
 */
public record AcquireRequest(
        LockKey lock,
        long ownerId,
        Ownership ownership,
        LeaseRequest lease,
        long waitNanos,
        boolean ofWaitingCall,
        int amount) {
    /** A wait without limit. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    /** A request for one lock. */
    public AcquireRequest(
            LockKey lock,
            long ownerId,
            Ownership ownership,
            LeaseRequest lease,
            long waitNanos,
            boolean ofWaitingCall) {
        this(lock, ownerId, ownership, lease, waitNanos, ofWaitingCall, 1);
    }

    /** A request that is the whole of a call. */
    public AcquireRequest(LockKey lock, long ownerId, Ownership ownership, LeaseRequest lease, long waitNanos) {
        this(lock, ownerId, ownership, lease, waitNanos, waitNanos > 0, 1);
    }

    /** {@return the exception for a refusal that cannot happen, since the wait is without limit} */
    public static IllegalStateException neverRefused() {
        return new IllegalStateException("a wait without end is not refused");
    }
}
