package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;

/**
 * What a lock on a server can be. Besides free and held it can be <em>loose</em>: a hold may be there or not, and whoever had
 * it has no claim any more. That is so when its lease may have run out, or its release has an unknown outcome.
 *
 * <pre>
 *            acquire              release of the last level
 *   FREE ---------------> HELD ------------------------------> FREE
 *                          |
 *                          | the lease may be over; a release of unknown outcome
 *                          v
 *   HELD <-------------- LOOSE       any of them ---- data loss ----> FREE
 *            acquire
 * </pre>
 *
 * @param phase which of the three
 * @param owner who has it, or had it last
 * @param hold which of the owner's holds, by the acquisition that began it
 * @param levels of the hold, otherwise 0
 * @param token the largest given out so far, 0 if none
 * @param bound earliest end of the hold's lease, also of a loose one's; of a free lock, the earliest time at which it can
 *     have become free. The smaller it is, the more is possible
 */
record LockState(Phase phase, String owner, Op hold, int levels, long token, long bound) {
    enum Phase {
        FREE,
        HELD,
        LOOSE
    }

    /** {@return a lock that nobody has had yet} */
    static LockState untouched() {
        return new LockState(Phase.FREE, "", new Op("", 0), 0, 0, Long.MIN_VALUE);
    }

    boolean isHeld() {
        return phase == Phase.HELD;
    }

    boolean isHeldBy(String other) {
        return isHeld() && owner.equals(other);
    }

    boolean isHold(Span span) {
        return isHeld() && hold.equals(span.grant().op());
    }

    /** {@return the lock when a hold of one level has begun} */
    LockState held(Span span, long newToken, long leaseEnd) {
        return new LockState(Phase.HELD, span.owner(), span.grant().op(), 1, newToken, leaseEnd);
    }

    LockState entered(long leaseEnd) {
        return new LockState(phase, owner, hold, levels + 1, token, Math.max(bound, leaseEnd));
    }

    /** {@return the lock with one level of several less} */
    LockState left() {
        return new LockState(phase, owner, hold, levels - 1, token, bound);
    }

    LockState freed(long since) {
        return new LockState(Phase.FREE, owner, hold, 0, token, since);
    }

    LockState loosened() {
        return new LockState(Phase.LOOSE, owner, hold, 0, token, bound);
    }

    LockState forgotten(long since, boolean tokensToo) {
        return new LockState(Phase.FREE, owner, hold, 0, tokensToo ? 0 : token, since);
    }

    LockState provedUntil(long leaseEnd) {
        return withBound(Math.max(bound, leaseEnd));
    }

    LockState withBound(long other) {
        return new LockState(phase, owner, hold, levels, token, other);
    }

    @Override
    public String toString() {
        return switch (phase) {
            case FREE -> "free";
            case HELD -> "held by " + owner + " (" + hold + ") with " + levels + " levels and token " + token;
            case LOOSE -> "free, or still as " + owner + " (" + hold + ") left it";
        };
    }
}
