package dev.holdfast.watchdog;

/**
 * Every decision about a lease, as pure functions. Times are nanoseconds of one {@link LeaseClock}, so they compare as
 * plain numbers, and {@link #NEVER} is later than all of them.
 */
final class LeaseRule {
    static final long NEVER = Long.MAX_VALUE;

    private LeaseRule() {}

    /** How a reply relates to the events since its request was sent. */
    enum Freshness {
        /** It is the reply to the request in flight. */
        CURRENT,
        /** The request timed out, or another one was sent since; the content of the reply is still true. */
        SUPERSEDED,
        /** A command that was sent later has confirmed the lease. */
        OUTDATED
    }

    /** The consequence of a reply. */
    enum AfterAnswer {
        /** The lease was confirmed as of the time when the request was sent. */
        RESTART,
        /** The outcome is unknown; send another request after a delay. */
        RETRY_SOON,
        /** The lease is lost. */
        GIVE_UP,
        /** The reply contains nothing that newer information does not replace. */
        IGNORE
    }

    /** The action that is due for a lease when its deadline expires. */
    enum Due {
        RUN_OUT,
        NOTIFY_AT_RISK,
        REQUEST_TIMED_OUT,
        REQUEST,
        NOTHING
    }

    /** Whether a request should be sent for a lease, and which one. */
    enum RequestKind {
        RENEW,
        VERIFY,
        NONE
    }

    /**
     * {@return the consequence of a reply} A reply that arrives when the lease's time has passed is too late, whatever
     * its content: a caller may have seen before it that the lease is over.
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
     * {@return the action that is due now} The loss comes first and depends on nothing else, so no renewal that hangs
     * can delay it.
     *
     * @param answerBy when the request in flight times out; {@link #NEVER} when none is in flight
     * @param requestAt when the next request is due; ignored while one is in flight
     */
    static Due due(long now, long validUntil, long riskAt, long answerBy, long requestAt) {
        if (now >= validUntil) {
            return Due.RUN_OUT;
        }
        if (now >= riskAt) {
            return Due.NOTIFY_AT_RISK;
        }
        if (answerBy != NEVER) {
            return now >= answerBy ? Due.REQUEST_TIMED_OUT : Due.NOTHING;
        }
        return now >= requestAt ? Due.REQUEST : Due.NOTHING;
    }

    /** A lease that is to be renewed needs no verification: a renewal proves as much. */
    static RequestKind requestKind(boolean renewed, boolean verifyRequested) {
        if (renewed) {
            return RequestKind.RENEW;
        }
        return verifyRequested ? RequestKind.VERIFY : RequestKind.NONE;
    }

    /**
     * {@return why a lease ran out}
     *
     * @param unconfirmed it ran out before it was known to be granted, so not after its full length
     * @param watched the lease was to be renewed
     * @param givenUp the owner is gone, or the maximum hold was over
     * @param closed the keeper no longer renews leases
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
