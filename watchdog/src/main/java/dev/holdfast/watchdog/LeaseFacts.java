package dev.holdfast.watchdog;

import static dev.holdfast.watchdog.LeaseRule.NEVER;

import dev.holdfast.watchdog.LeaseRule.Due;
import dev.holdfast.watchdog.LeaseRule.Freshness;
import dev.holdfast.watchdog.LeaseRule.RequestKind;
import org.jspecify.annotations.Nullable;

/**
 * The known facts about one lease, and the times at which actions become due: arithmetic only, without locks, deadlines
 * or callbacks.
 *
 * <p>Written under the keeper's lock. The volatile fields are read without the lock by queries.
 *
 * <p>A separate class because it is a separate concern; {@link LeaseLife} extends it so that a kept lease is one
 * object.
 */
abstract class LeaseFacts extends DeadlineHeap.Node {
    private final long started;

    /** The end of the lease's validity. */
    private volatile long until;

    /** When the command was sent that extended the lease last. */
    private volatile long confirmed;

    /** The clock's gap up to which the store has replied; if the gap has grown since, the lease is suspect. */
    private volatile long gapSeen;

    /** The request in flight. */
    private @Nullable RenewalBatch<?> inFlight;

    /** When the next request is due, once none is in flight. */
    private long requestAt = NEVER;

    /** When the subject is to be warned. */
    private long riskAt = NEVER;

    /** The number of requests without reply since the last reply. */
    private int unanswered;

    /** The store has not confirmed yet that it granted the lease. */
    private boolean unconfirmed;

    private boolean watched;
    private boolean abandoned;

    /** A request is to be sent although the lease need not be extended. */
    private boolean verifyRequested;

    /** For a lease that was granted. */
    LeaseFacts(LeaseClock clock, Pace pace, long sent, long leaseNanos, boolean watched) {
        this.started = sent;
        this.confirmed = sent;
        this.until = pace.validUntil(sent, leaseNanos);
        this.gapSeen = clock.gap();
        this.watched = watched;
        this.requestAt = watched ? pace.renewAt(sent, until) : NEVER;
    }

    /**
     * For a lease that is handed off by a command without a reply yet: it is trusted as long as its predecessor was,
     * and no longer than the command would prove. It inherits the predecessor's gap: a lease that the store has not
     * confirmed since a suspend is no less suspect with another subject. Under the keeper's lock.
     */
    LeaseFacts(LeaseFacts from, Pace pace, long sent, long leaseNanos, boolean watched, long cap) {
        this.started = sent;
        this.confirmed = Math.min(sent, from.confirmed);
        this.until = Math.min(pace.validUntil(sent, leaseNanos), cap);
        this.gapSeen = from.gapSeen;
        this.unconfirmed = true;
        this.watched = watched;
        this.requestAt = watched ? pace.renewAt(sent, until) : NEVER;
    }

    abstract LeaseClock clock();

    abstract Pace pace();

    /**
     * An earlier suspend does not concern a lease that was just granted, but it does concern one that is handed off.
     */
    void begin() {
        if (!unconfirmed) {
            gapSeen = clock().gap();
        } else if (gapSeen != clock().gap()) {
            requestVerify(clock().now());
        }
    }

    // Queries, without the lock.

    long started() {
        return started;
    }

    long lastConfirmed() {
        return confirmed;
    }

    long until() {
        return until;
    }

    /** The time left on the monotonic clock. */
    long left(long now) {
        return Math.max(0, until - now);
    }

    /**
     * The time left; zero while the lease is suspect. The clock's offset is read before its gap, and
     * {@link LeaseClock#compareClocks} writes them in the opposite order, so that a concurrent comparison cannot hide a
     * suspend.
     */
    long leftForSure() {
        long wall = clock().wallNanos();
        long now = clock().now();
        return clock().apart(wall, now) || gapSeen != clock().gap() ? 0 : left(now);
    }

    // Decisions.

    Due due(long now) {
        return LeaseRule.due(now, until, riskAt, answerBy(), requestAt);
    }

    /** When the next action of any kind is due. */
    long nextDue() {
        return Math.min(endDue(), inFlight != null ? answerBy() : requestAt);
    }

    /** When the lease ends, or its subject is to be warned. */
    long endDue() {
        return Math.min(until, riskAt);
    }

    boolean isRenewed(long now, boolean closed) {
        return watched && !closed && !isGivenUp(now);
    }

    RequestKind requestKind(long now, boolean closed) {
        return LeaseRule.requestKind(isRenewed(now, closed), verifyRequested && !closed);
    }

    LeaseRule.AfterAnswer next(RenewalOutcome outcome, Freshness freshness, long now) {
        return LeaseRule.next(outcome, freshness, now - confirmed, until - confirmed);
    }

    Freshness freshness(RenewalBatch<?> batch) {
        if (batch.sent() < confirmed) {
            return Freshness.OUTDATED;
        }
        return batch == inFlight ? Freshness.CURRENT : Freshness.SUPERSEDED;
    }

    LossCause ranOut(long now, boolean closed) {
        return LeaseRule.ranOut(unconfirmed, watched, isGivenUp(now), closed, inFlight != null || unanswered > 0);
    }

    // Updates.

    /** Replies can arrive out of order: an older one may still prove a later end, but restarts nothing. */
    void confirm(long sent, long leaseNanos) {
        trust(sent, pace().validUntil(sent, leaseNanos));
        if (sent < confirmed) {
            return;
        }
        confirmed = sent;
        if (inFlight == null || inFlight.sent() <= sent) {
            inFlight = null;
            restart();
        } else {
            unanswered = 0;
            riskAt = watched && inFlight.renews() ? halfWay(inFlight.sent()) : NEVER;
        }
    }

    /** The store still has the lease for this client, but did not extend it. */
    void verified(RenewalBatch<?> batch) {
        trust(batch.sent(), Long.MIN_VALUE);
        if (batch == inFlight) {
            inFlight = null;
            restart();
        }
    }

    /** The request in flight has no reply; true when it is the first one in a row. */
    boolean unanswered(long now) {
        inFlight = null;
        unanswered++;
        requestAt = now + pace().retryNanos(unanswered);
        return unanswered == 1;
    }

    void warned() {
        riskAt = NEVER;
    }

    void setWatched(boolean renew) {
        if (watched == renew) {
            return;
        }
        watched = renew;
        if (inFlight == null) {
            restart();
        } else if (!renew) {
            riskAt = NEVER;
        }
    }

    /** True when the lease was not abandoned before. */
    boolean abandon() {
        boolean news = !abandoned;
        abandoned = true;
        return news;
    }

    /** The next request is due now, and one in flight is no longer awaited. */
    void requestVerify(long now) {
        if (inFlight != null) {
            inFlight = null;
            unanswered++;
        }
        verifyRequested = true;
        requestAt = now;
    }

    /** No request is needed. */
    void rest() {
        if (inFlight == null) {
            requestAt = NEVER;
            riskAt = NEVER;
        }
    }

    /** Records the request as in flight if one is still due; false when none is. */
    boolean markInFlight(RenewalBatch<?> batch) {
        if (inFlight != null || batch.sent() < requestAt) {
            return false;
        }
        inFlight = batch;
        if (batch.renews() && unanswered == 0) {
            riskAt = halfWay(batch.sent());
        }
        return true;
    }

    /**
     * The store has replied to a command that was sent then. After a suspend, a lease that the store granted before it
     * has less time left than the monotonic clock indicates, by the length of the suspend. That length is subtracted
     * before the lease is trusted again.
     */
    private void trust(long sent, long provenUntil) {
        boolean suspect = clock().suspects(sent);
        long known = suspect ? until : until - (clock().gap() - gapSeen);
        until = Math.max(known, provenUntil);
        unconfirmed = false;
        if (!suspect) {
            gapSeen = clock().gap();
            verifyRequested = false;
        }
    }

    /** No request is in flight or unanswered; a requested verification stays due. */
    private void restart() {
        unanswered = 0;
        riskAt = NEVER;
        if (!verifyRequested) {
            requestAt = watched && !abandoned ? pace().renewAt(confirmed, until) : NEVER;
        }
    }

    private boolean isGivenUp(long now) {
        return abandoned || now - started >= pace().maxHoldNanos();
    }

    private long answerBy() {
        return inFlight != null ? inFlight.sent() + pace().answerNanos() : NEVER;
    }

    private long halfWay(long from) {
        return from + (until - from) / 2;
    }
}
