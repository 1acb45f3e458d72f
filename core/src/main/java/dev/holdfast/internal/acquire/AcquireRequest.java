package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;

/**
 * What a caller requests.
 *
 * @param waitNanos 0 to attempt once, {@link #FOR_EVER} to wait without limit
 */
public record AcquireRequest(LockKey lock, long ownerId, Ownership ownership, LeaseRequest lease, long waitNanos) {
    /** A wait without limit. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    /** {@return the exception for a refusal that cannot happen, since the wait is without limit} */
    public static IllegalStateException neverRefused() {
        return new IllegalStateException("a wait without end is not refused");
    }
}
