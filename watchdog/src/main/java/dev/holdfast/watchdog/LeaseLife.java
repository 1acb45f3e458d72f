package dev.holdfast.watchdog;

import dev.holdfast.watchdog.LeaseRule.Due;
import dev.holdfast.watchdog.LeaseRule.Freshness;
import dev.holdfast.watchdog.LeaseRule.RequestKind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * The state machine of one lease. LeaseFacts has the known facts about it, LeaseRule the decisions that follow.
 *
 *     keep, keepUnconfirmed          join
 *             |          +-------------------------+
 *             v          |                         v
 *      +------------- KEPT, idle            KEPT, in flight ------------+
 *      |                 ^                         |                    |
 *      |                 +-------------------------+                    |
 *      |                   replied to, confirmed since,                 |
 *      |                   timed out, or to be verified                 |
 *      |                                                                |
 *      +-- until passed, store replied LOST, lose() -------> LOST <-----+
 *      +-- end() -----------------------------------------> ENDED <-----+
 *
 * LOST and ENDED are final, and leaveFor() is the only way into them: it returns true once, so a lease is either
 * reported as lost or ends silently, never both.
 *
 * Every transition happens under the keeper's one lock, together with moving the deadline. That is the price and the
 * point: the thread that ends a lease also cancels its deadline, and no thread schedules a deadline for a lease that is
 * over, whichever of the two comes first. The keeper's heap of deadlines has no lock of its own, so one lock
 * acquisition covers both. A lock per lease would cost memory and need a lock order; with compare-and-set the state and
 * its deadline could disagree. The lock is held for a few instructions; queries do not take it, and the subject is only
 * ever called without it.
 *
 * One deadline serves every action that can become due: the next request, the timeout of the request in flight, the
 * warning, the end. When a request is due, the deadline is first set to the end, so that no failure on the way can
 * suppress the loss.
 */
final class LeaseLife<S extends LeaseSubject> extends LeaseFacts implements KeptLease {
    private enum State {
        KEPT,
        LOST,
        ENDED
    }

    private final LeaseKeeper<S> keeper;
    private final S subject;

    /** Written under the keeper's lock, read without it by queries. */
    private volatile State state = State.KEPT;

    /** Why it is LOST. Written under the keeper's lock before the state becomes LOST, and read after the state. */
    private @Nullable LossCause loss;

    /** For a lease that was granted. */
    LeaseLife(LeaseKeeper<S> keeper, S subject, long sent, long leaseNanos, boolean watched) {
        super(keeper.clock, keeper.pace, sent, leaseNanos, watched);
        this.keeper = keeper;
        this.subject = subject;
    }

    /** For a lease that is handed off. Under the keeper's lock. */
    LeaseLife(LeaseKeeper<S> keeper, S subject, LeaseLife<?> from, long sent, long leaseNanos, boolean watched) {
        super(from, keeper.pace, sent, leaseNanos, watched, from.leftToHandOff());
        this.keeper = keeper;
        this.subject = subject;
    }

    LeaseKeeper<S> keeper() {
        return keeper;
    }

    @Override
    LeaseClock clock() {
        return keeper.clock;
    }

    @Override
    Pace pace() {
        return keeper.pace;
    }

    S subject() {
        return subject;
    }

    @Override
    public boolean isValid() {
        return remainingNanos() > 0;
    }

    @Override
    public boolean isRunning() {
        return state == State.KEPT && left(clock().now()) > 0;
    }

    @Override
    public long remainingNanos() {
        return state == State.KEPT ? leftForSure() : 0;
    }

    @Override
    public long validUntilNanos() {
        return clock().nanoTime(until());
    }

    @Override
    public long lastConfirmedNanos() {
        return clock().nanoTime(lastConfirmed());
    }

    @Override
    public long startedNanos() {
        return clock().nanoTime(started());
    }

    @Override
    public @Nullable LossCause loss() {
        return state == State.LOST ? loss : null;
    }

    @Override
    public boolean confirmed(long sentNanos, long leaseNanos) {
        LossCause lost = null;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return false;
            }
            long now = clock().now();
            if (left(now) > 0) {
                confirm(clock().at(sentNanos), leaseNanos);
            }
            if (left(now) > 0) {
                wakeAt(nextDue());
                return true;
            }
            lost = runOut(now);
        } finally {
            keeper.lock.unlock();
        }
        Subjects.notifyLost(subject, lost);
        return false;
    }

    @Override
    public void watch(boolean watched) {
        keeper.lock.lock();
        try {
            if (state == State.KEPT) {
                setWatched(watched);
                wakeAt(nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
    }

    @Override
    public boolean end() {
        keeper.lock.lock();
        try {
            return leaveFor(State.ENDED) || state == State.ENDED;
        } finally {
            keeper.lock.unlock();
        }
    }

    @Override
    public boolean lose() {
        LossCause lost;
        keeper.lock.lock();
        try {
            lost = loseFor(LossCause.REFUSED);
        } finally {
            keeper.lock.unlock();
        }
        Subjects.notifyLost(subject, lost);
        return lost != null;
    }

    @Override
    public void expireIfDue() {
        if (state != State.KEPT || left(clock().now()) > 0) {
            return;
        }
        LossCause lost = null;
        keeper.lock.lock();
        try {
            long now = clock().now();
            if (state == State.KEPT && left(now) <= 0) {
                lost = runOut(now);
            }
        } finally {
            keeper.lock.unlock();
        }
        Subjects.notifyLost(subject, lost);
    }

    /** Under the keeper's lock: the keeper schedules the lease from now on. */
    void enter() {
        begin();
        wakeAt(nextDue());
    }

    /** On the sweeping thread: performs the action that is due, and schedules the next one. */
    void fallDue() {
        long warning = 0;
        boolean timedOut = false;
        boolean news = false;
        LossCause lost = null;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return;
            }
            long now = clock().now();
            Due due = due(now);
            if (due == Due.NOTIFY_AT_RISK) {
                warning = left(now);
                warned();
                due = due(now);
            }
            if (due == Due.REQUEST_TIMED_OUT) {
                timedOut = true;
                news = unanswered(now);
            }
            if (due == Due.RUN_OUT) {
                lost = runOut(now);
            } else if (due == Due.REQUEST) {
                wakeAt(endDue());
                keeper.batches.onDue(this);
            } else {
                wakeAt(nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
        if (timedOut) {
            keeper.batches.timedOut(this, news);
        }
        if (warning > 0) {
            Subjects.notifyAtRisk(subject, warning);
        }
        Subjects.notifyLost(subject, lost);
    }

    /** The request to send for this lease. It calls the subject, too, and so must not be called under the lock. */
    RequestKind requestKind() {
        boolean orphaned = isRenewed() && Subjects.isAbandoned(subject);
        boolean news;
        RequestKind kind;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return RequestKind.NONE;
            }
            news = orphaned && abandon();
            kind = requestKind(clock().now(), keeper.isClosed());
            if (kind == RequestKind.NONE) {
                rest();
                wakeAt(nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
        if (news) {
            Subjects.notifyAbandoned(subject, left(clock().now()));
        }
        return kind;
    }

    /** Under the keeper's lock: joins the batch if the lease still needs a request. */
    boolean join(RenewalBatch<S> batch) {
        boolean joined = state == State.KEPT && markInFlight(batch);
        if (joined) {
            wakeAt(nextDue());
        }
        return joined;
    }

    /** Applies the outcome of a request; true when it is the first one without a reply since the last confirmation. */
    boolean answered(RenewalBatch<S> batch, RenewalOutcome outcome) {
        boolean renewed = false;
        boolean news = false;
        LossCause lost = null;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return false;
            }
            long now = clock().now();
            Freshness freshness = freshness(batch);
            switch (next(outcome, freshness, now)) {
                case RESTART -> {
                    renewed = batch.renews() && freshness != Freshness.OUTDATED;
                    restart(batch);
                }
                case RETRY_SOON -> {
                    news = unanswered(now);
                    wakeAt(nextDue());
                }
                case GIVE_UP -> lost = outcome == RenewalOutcome.LOST ? loseFor(LossCause.REFUSED) : runOut(now);
                case IGNORE -> {}
            }
        } finally {
            keeper.lock.unlock();
        }
        if (renewed) {
            Subjects.notifyRenewed(subject);
        }
        Subjects.notifyLost(subject, lost);
        return news;
    }

    /** {@return milliseconds since the last confirmation, for the logs} */
    long ageMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clock().now() - lastConfirmed());
    }

    @Override
    public String toString() {
        return String.valueOf(subject);
    }

    /** Until when its successor can be trusted because of this lease: not at all if it was lost. */
    private long leftToHandOff() {
        return state == State.LOST ? Math.min(clock().now(), until()) : until();
    }

    /** The only way out of KEPT; true for the call that made the transition. */
    private boolean leaveFor(State last) {
        if (state != State.KEPT) {
            return false;
        }
        state = last;
        keeper.schedule.leave(this);
        return true;
    }

    private @Nullable LossCause runOut(long now) {
        return loseFor(ranOut(now, keeper.isClosed()));
    }

    /** {@return why it is lost from now on, for the caller to notify the subject; null when it was over before} */
    private @Nullable LossCause loseFor(LossCause how) {
        if (state != State.KEPT) {
            return null;
        }
        loss = how;
        leaveFor(State.LOST);
        return how;
    }

    private void restart(RenewalBatch<S> batch) {
        if (batch.renews()) {
            confirm(batch.sent(), pace().watchdogNanos());
        } else {
            verified(batch);
        }
        wakeAt(nextDue());
    }

    private void wakeAt(long at) {
        keeper.schedule.move(this, at);
    }

    private boolean isRenewed() {
        keeper.lock.lock();
        try {
            return state == State.KEPT && isRenewed(clock().now(), keeper.isClosed());
        } finally {
            keeper.lock.unlock();
        }
    }
}
