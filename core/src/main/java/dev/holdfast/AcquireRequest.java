package dev.holdfast;

/**
 * What a caller requests.
 *
 * @param waitNanos 0 to attempt once, {@link #FOR_EVER} to wait without limit
 */
record AcquireRequest(LockKey lock, long ownerId, Ownership ownership, LeaseRequest lease, long waitNanos) {
    /** A wait without limit. */
    static final long FOR_EVER = Long.MAX_VALUE;

    /** {@return the exception for a refusal that cannot happen, since the wait is without limit} */
    static IllegalStateException neverRefused() {
        return new IllegalStateException("a wait without end is not refused");
    }
}
