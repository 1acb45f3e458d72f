package dev.holdfast;

/**
 * What a caller asks for.
 *
 * @param waitNanos 0 to try once, {@link #FOR_EVER} to wait without end
 */
record AcquireRequest(LockKey lock, long ownerId, Ownership ownership, LeaseRequest lease, long waitNanos) {
    /** A wait without end. */
    static final long FOR_EVER = Long.MAX_VALUE;

    /** {@return what to throw in place of the answer to a refusal that cannot be} */
    static IllegalStateException neverRefused() {
        return new IllegalStateException("a wait without end is not refused");
    }
}
