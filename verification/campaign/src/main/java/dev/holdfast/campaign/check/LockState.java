package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;

/**
 * The state of a lock on a server. Besides free and held it can be <em>loose</em>: a hold may still exist or not, and
 * its owner has no claim to it. That is so when its lease may have run out, or its release has an unknown outcome.
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
 * @param phase one of the three
 * @param owner the owner that has it, or had it last
 * @param hold the owner's hold, by the acquisition that began it
 * @param levels the levels of the hold, 0 if there is none
 * @param token the largest one issued so far, 0 if none
 * @param bound the earliest end of the hold's lease, also if it is loose; for a free lock, the earliest time at which
 *     it can have become free. The smaller it is, the more is possible
 */
record LockState(Phase phase, String owner, Op hold, int levels, long token, long bound) {
    enum Phase {
        FREE,
        HELD,
        LOOSE
    }

    /** {@return a lock that no owner has had yet} */
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

    /** {@return the lock after the grant of a first level} */
    LockState held(Span span, long newToken, long leaseEnd) {
        return new LockState(Phase.HELD, span.owner(), span.grant().op(), 1, newToken, leaseEnd);
    }

    LockState entered(long leaseEnd) {
        return new LockState(phase, owner, hold, levels + 1, token, Math.max(bound, leaseEnd));
    }

    /** {@return the lock after the release of one of several levels} */
    LockState left() {
        return new LockState(phase, owner, hold, levels - 1, token, bound);
    }

    LockState freed(long since) {
        return new LockState(Phase.FREE, owner, hold, 0, token, since);
    }

    LockState loosened() {
        return new LockState(Phase.LOOSE, owner, hold, 0, token, bound);
    }

    /** {@return the lock after its release with a delay: busy, and nobody's, until that has passed} */
    LockState keptBusy(Op release, long until) {
        return new LockState(Phase.HELD, owner, release, levels, token, until);
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
            case LOOSE -> "free, or still held by " + owner + " (" + hold + ")";
        };
    }
}
