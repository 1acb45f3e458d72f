package dev.holdfast.watchdog;

/**
 * Every decision about a lease, as functions of what is known; they talk to nobody and change nothing. Times are
 * nanoseconds of one {@link LeaseClock}, so they compare as plain numbers and {@link #NEVER} is later than all.
 */
final class LeaseRule {
    static final long NEVER = Long.MAX_VALUE;

    private LeaseRule() {}

    /** How an answer relates to what has happened since its question was sent. */
    enum Freshness {
        /** It answers the question in flight. */
        CURRENT,
        /** The question was given up on, or another was sent since; what the answer says is still true. */
        SUPERSEDED,
        /** A command that was sent later has confirmed the lease. */
        OUTDATED
    }

    /** What an answer leads to. */
    enum AfterAnswer {
        /** The lease was confirmed as of the question's sending. */
        RESTART,
        /** Nothing is known; ask again after a pause. */
        RETRY_SOON,
        /** The lease is lost. */
        GIVE_UP,
        /** The answer says nothing that is not known better. */
        IGNORE
    }

    /** What is to be done about a lease when its deadline expires. */
    enum Due {
        RUN_OUT,
        TELL_AT_RISK,
        STOP_AWAITING_ANSWER,
        ASK,
        NOTHING
    }

    /** Whether a lease should be asked about, and how. */
    enum Inquiry {
        RENEW,
        VERIFY,
        NONE
    }

    /**
     * What follows from an answer. One that comes when the lease's time has passed is too late, whatever it says: whoever has
     * looked meanwhile has seen that the lease is over.
     *
     * @param ageNanos the time since the store last confirmed the lease
     * @param leaseNanos how long after that confirmation the lease is valid
     */
    static AfterAnswer next(RenewalOutcome outcome, Freshness freshness, long ageNanos, long leaseNanos) {
        return switch (outcome) {
            case RENEWED -> ageNanos < leaseNanos ? AfterAnswer.RESTART : AfterAnswer.GIVE_UP;
            case LOST -> freshness == Freshness.OUTDATED ? AfterAnswer.IGNORE : AfterAnswer.GIVE_UP;
            case UNKNOWN -> {
                if (freshness != Freshness.CURRENT) {
                    yield AfterAnswer.IGNORE;
                }
                yield ageNanos < leaseNanos ? AfterAnswer.RETRY_SOON : AfterAnswer.GIVE_UP;
            }
        };
    }

    /**
     * What is due now. The loss comes first and depends on nothing else, so no renewal that hangs can delay it.
     *
     * @param answerBy when the question in flight is given up on; {@link #NEVER} when none is
     * @param askAt when the next question is due; not looked at while one is in flight
     */
    static Due due(long now, long validUntil, long riskAt, long answerBy, long askAt) {
        if (now >= validUntil) {
            return Due.RUN_OUT;
        }
        if (now >= riskAt) {
            return Due.TELL_AT_RISK;
        }
        if (answerBy != NEVER) {
            return now >= answerBy ? Due.STOP_AWAITING_ANSWER : Due.NOTHING;
        }
        return now >= askAt ? Due.ASK : Due.NOTHING;
    }

    /** Who is worth a renewal gets one, which proves as much as a verification. */
    static Inquiry inquiry(boolean renewed, boolean verifyOwed) {
        if (renewed) {
            return Inquiry.RENEW;
        }
        return verifyOwed ? Inquiry.VERIFY : Inquiry.NONE;
    }

    /**
     * Why a lease ran out.
     *
     * @param unconfirmed it ran out before it was known to be granted, so it was not given its time
     * @param watched the lease was to be renewed
     * @param givenUp the owner is gone, or the longest hold was over
     * @param closed the keeper renews nothing any more
     * @param unanswered a renewal was sent since the last confirmation
     */
    static LossCause ranOut(boolean unconfirmed, boolean watched, boolean givenUp, boolean closed, boolean unanswered) {
        if (unconfirmed) {
            return LossCause.UNANSWERED;
        }
        if (!watched || givenUp) {
            return LossCause.EXPIRED;
        }
        if (closed) {
            return LossCause.CLOSED;
        }
        return unanswered ? LossCause.UNANSWERED : LossCause.STALLED;
    }
}
