package dev.holdfast.watchdog;

import static dev.holdfast.watchdog.LeaseRule.NEVER;

import dev.holdfast.watchdog.LeaseRule.Due;
import dev.holdfast.watchdog.LeaseRule.Freshness;
import dev.holdfast.watchdog.LeaseRule.Inquiry;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one lease, and when what follows from it: arithmetic only, no lock, no deadline, nobody to tell.
 *
 * <p>Written under the keeper's lock. The volatile fields are read without it, by who only looks.
 *
 * <p>A class of its own for its own idea, and the one that {@link LeaseLife} extends so that a kept lease is one object.
 */
abstract class LeaseFacts extends HeapNode {
    private final long started;

    /** Valid until then. */
    private volatile long until;

    /** When the command was sent that extended the lease last. */
    private volatile long confirmed;

    /** How much of the clock's gap the store has been heard after; what is missing makes the lease suspect. */
    private volatile long gapSeen;

    /** The question in flight. */
    private @Nullable RenewalBatch<?> question;

    /** When the next question is due, once none is in flight. */
    private long askAt = NEVER;

    /** When the subject is to be warned. */
    private long riskAt = NEVER;

    /** Questions without answer since the last that had one. */
    private int unanswered;

    /** The store has not said yet that it granted the lease. */
    private boolean unconfirmed;

    private boolean watched;
    private boolean abandoned;

    /** A question is owed although the lease need not be extended. */
    private boolean verifyOwed;

    /** Of a lease that was granted. */
    LeaseFacts(LeaseClock clock, Pace pace, long sent, long leaseNanos, boolean watched) {
        this.started = sent;
        this.confirmed = sent;
        this.until = pace.validUntil(sent, leaseNanos);
        this.gapSeen = clock.gap();
        this.watched = watched;
        this.askAt = watched ? pace.renewAt(sent, until) : NEVER;
    }

    /**
     * Of a lease that is handed on by a command not answered yet: it is trusted as far as its predecessor was, and no
     * further than the command would prove. The predecessor's gap comes along: who has not been heard after a suspend is
     * no less doubtful under another name. Under the keeper's lock.
     */
    LeaseFacts(LeaseFacts from, Pace pace, long sent, long leaseNanos, boolean watched, long cap) {
        this.started = sent;
        this.confirmed = Math.min(sent, from.confirmed);
        this.until = Math.min(pace.validUntil(sent, leaseNanos), cap);
        this.gapSeen = from.gapSeen;
        this.unconfirmed = true;
        this.watched = watched;
        this.askAt = watched ? pace.renewAt(sent, until) : NEVER;
    }

    abstract LeaseClock clock();

    abstract Pace pace();

    /** A lease that was just granted has nothing to do with any suspend before; one that is handed on has. */
    void begin() {
        if (!unconfirmed) {
            gapSeen = clock().gap();
        } else if (gapSeen != clock().gap()) {
            requestVerify(clock().now());
        }
    }

    // Looking, without the lock.

    long started() {
        return started;
    }

    long lastConfirmed() {
        return confirmed;
    }

    long until() {
        return until;
    }

    /** What is left on the monotonic clock. */
    long left(long now) {
        return Math.max(0, until - now);
    }

    /** What is left if nothing makes it doubtful. The clock is asked first: it remembers a suspend before it forgets it. */
    long leftForSure() {
        long wall = clock().wallNanos();
        long now = clock().now();
        return clock().apart(wall, now) || gapSeen != clock().gap() ? 0 : left(now);
    }

    // Deciding.

    Due due(long now) {
        return LeaseRule.due(now, until, riskAt, answerBy(), askAt);
    }

    /** When the next thing is due, whatever it is. */
    long nextDue() {
        return Math.min(endDue(), question != null ? answerBy() : askAt);
    }

    /** When the lease ends, or is to be warned of it. */
    long endDue() {
        return Math.min(until, riskAt);
    }

    boolean isRenewed(long now, boolean closed) {
        return watched && !closed && !isGivenUp(now);
    }

    Inquiry inquiry(long now, boolean closed) {
        return LeaseRule.inquiry(isRenewed(now, closed), verifyOwed && !closed);
    }

    LeaseRule.AfterAnswer next(RenewalOutcome outcome, Freshness freshness, long now) {
        return LeaseRule.next(outcome, freshness, now - confirmed, until - confirmed);
    }

    Freshness freshness(RenewalBatch<?> asked) {
        if (asked.sent() < confirmed) {
            return Freshness.OUTDATED;
        }
        return asked == question ? Freshness.CURRENT : Freshness.SUPERSEDED;
    }

    LossCause ranOut(long now, boolean closed) {
        return LeaseRule.ranOut(unconfirmed, watched, isGivenUp(now), closed, question != null || unanswered > 0);
    }

    // Learning.

    /** Replies overtake each other: an older one may still prove a later end, but restarts nothing. */
    void confirm(long sent, long leaseNanos) {
        trust(sent, pace().validUntil(sent, leaseNanos));
        if (sent < confirmed) {
            return;
        }
        confirmed = sent;
        if (question == null || question.sent() <= sent) {
            question = null;
            restart();
        } else {
            unanswered = 0;
            riskAt = watched && question.renews() ? halfWay(question.sent()) : NEVER;
        }
    }

    /** Still ours, but not extended. */
    void verified(RenewalBatch<?> asked) {
        trust(asked.sent(), Long.MIN_VALUE);
        if (asked == question) {
            question = null;
            restart();
        }
    }

    /** No answer to the question in flight; true when it is the first time in a row. */
    boolean unanswered(long now) {
        question = null;
        unanswered++;
        askAt = now + pace().retryNanos(unanswered);
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
        if (question == null) {
            restart();
        } else if (!renew) {
            riskAt = NEVER;
        }
    }

    /** True when that is news. */
    boolean abandon() {
        boolean news = !abandoned;
        abandoned = true;
        return news;
    }

    /** The next question is due now, and one in flight is not relied on any more. */
    void requestVerify(long now) {
        if (question != null) {
            question = null;
            unanswered++;
        }
        verifyOwed = true;
        askAt = now;
    }

    /** There is nothing to ask. */
    void rest() {
        if (question == null) {
            askAt = NEVER;
            riskAt = NEVER;
        }
    }

    /** The question is put, if one is still due; false when not. */
    boolean ask(RenewalBatch<?> asked) {
        if (question != null || asked.sent() < askAt) {
            return false;
        }
        question = asked;
        if (asked.renews() && unanswered == 0) {
            riskAt = halfWay(asked.sent());
        }
        return true;
    }

    /**
     * The store has answered what was sent then. After a suspend, what it had granted before has less left than the
     * monotonic clock says, by the length of it; that is taken off before the lease is trusted again.
     */
    private void trust(long sent, long provenUntil) {
        boolean suspect = clock().suspects(sent);
        long known = suspect ? until : until - (clock().gap() - gapSeen);
        until = Math.max(known, provenUntil);
        unconfirmed = false;
        if (!suspect) {
            gapSeen = clock().gap();
            verifyOwed = false;
        }
    }

    /** Nothing is in flight or unanswered; a verification that is owed stays due. */
    private void restart() {
        unanswered = 0;
        riskAt = NEVER;
        if (!verifyOwed) {
            askAt = watched && !abandoned ? pace().renewAt(confirmed, until) : NEVER;
        }
    }

    private boolean isGivenUp(long now) {
        return abandoned || now - started >= pace().maxHoldNanos();
    }

    private long answerBy() {
        return question != null ? question.sent() + pace().answerNanos() : NEVER;
    }

    private long halfWay(long from) {
        return from + (until - from) / 2;
    }
}
