package dev.holdfast.watchdog;

import dev.holdfast.watchdog.LeaseRule.Due;
import dev.holdfast.watchdog.LeaseRule.Freshness;
import dev.holdfast.watchdog.LeaseRule.Inquiry;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The life of one lease.
 *
 *            keep                    join
 *             |          +-------------------------+
 *             v          |                         v
 *      +------------- KEPT, idle            KEPT, in flight ------------+
 *      |                 ^                         |                    |
 *      |                 +-------------------------+                    |
 *      |                   answered, confirmed since,                   |
 *      |                   given up on, to be asked anew                |
 *      |                                                                |
 *      +--- valid-until passed, store said LOST, lose() ---> LOST <-----+
 *      +--- end() ----------------------------------------> ENDED <-----+
 *
 * LOST and ENDED are final, and leaveFor() is the only way into them: it answers true once, so a lease is either told
 * lost or ends quietly, never both.
 *
 * Every transition happens under the keeper's one lock, together with moving the deadline. That is the price and the
 * point: whoever ends a lease also takes its deadline back, and nobody schedules one for a lease that is over, whichever
 * of the two comes first. A lock per lease would cost memory and an order of locks; compare-and-set would leave the state
 * and its deadline free to disagree. The lock is held for a few instructions; who only looks does not take it, and the
 * subject is only ever called without it.
 *
 * One deadline serves all that can become due: the next question, the end of patience with the last, the warning, the
 * end. When a question is due it is first set to the end, so that no failure on the way can lose the loss.
 */
final class LeaseLife<S extends LeaseSubject> extends Deadline implements KeptLease {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private enum State {
        KEPT,
        LOST,
        ENDED
    }

    private final LeaseKeeper<S> keeper;
    private final S subject;

    /** Written under the keeper's lock. */
    private final LeaseFacts facts;

    /** Written under the keeper's lock, read without it by who only looks. */
    private volatile State state = State.KEPT;

    /** Links of the keeper's roll; guarded by its lock. */
    @Nullable
    LeaseLife<S> previous;

    @Nullable
    LeaseLife<S> next;

    /** Under the keeper's lock. */
    LeaseLife(LeaseKeeper<S> keeper, S subject, LeaseFacts facts) {
        this.keeper = keeper;
        this.subject = subject;
        this.facts = facts;
    }

    /** Under the keeper's lock: what is known of it when it is handed on, to a lease that this command is to grant. */
    LeaseFacts handOn(long sent, long leaseNanos, boolean watched) {
        long cap = state == State.LOST ? Math.min(keeper.clock.now(), facts.until()) : facts.until();
        return new LeaseFacts(facts, sent, leaseNanos, watched, cap);
    }

    LeaseKeeper<S> keeper() {
        return keeper;
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
        return state == State.KEPT && facts.left(keeper.clock.now()) > 0;
    }

    @Override
    public long remainingNanos() {
        return state == State.KEPT && !facts.isSuspect() ? facts.left(keeper.clock.now()) : 0;
    }

    @Override
    public long validUntilNanos() {
        return keeper.clock.nanoTime(facts.until());
    }

    @Override
    public long lastConfirmedNanos() {
        return keeper.clock.nanoTime(facts.confirmed());
    }

    @Override
    public long startedNanos() {
        return keeper.clock.nanoTime(facts.started());
    }

    @Override
    public void confirmed(long sentNanos, long leaseNanos) {
        keeper.lock.lock();
        try {
            if (state == State.KEPT) {
                facts.confirm(keeper.clock.at(sentNanos), leaseNanos);
                wakeAt(facts.nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
    }

    @Override
    public void watch(boolean watched) {
        keeper.lock.lock();
        try {
            if (state == State.KEPT) {
                facts.watch(watched);
                wakeAt(facts.nextDue());
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
        boolean lost;
        keeper.lock.lock();
        try {
            lost = leaveFor(State.LOST);
        } finally {
            keeper.lock.unlock();
        }
        tellLost(lost ? Loss.REFUSED : null);
        return lost;
    }

    @Override
    public void expireIfDue() {
        Loss loss = null;
        keeper.lock.lock();
        try {
            long now = keeper.clock.now();
            if (state == State.KEPT && facts.left(now) <= 0) {
                loss = runOut(now);
            }
        } finally {
            keeper.lock.unlock();
        }
        tellLost(loss);
    }

    /** Under the keeper's lock, once the lease is on its roll. */
    void begin() {
        wakeAt(facts.nextDue());
    }

    @Override
    protected void expired() {
        long warning = 0;
        boolean hung = false;
        boolean news = false;
        Loss loss = null;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return;
            }
            long now = keeper.clock.now();
            Due due = facts.due(now);
            if (due == Due.TELL_AT_RISK) {
                warning = facts.left(now);
                facts.warned();
                due = facts.due(now);
            }
            if (due == Due.STOP_AWAITING_ANSWER) {
                hung = true;
                news = facts.unanswered(now);
            }
            if (due == Due.RUN_OUT) {
                loss = runOut(now);
            } else if (due == Due.ASK) {
                wakeAt(facts.endDue());
                keeper.askAtSweepEnd(this);
            } else {
                wakeAt(facts.nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
        if (hung) {
            keeper.hung(this, news);
        }
        if (warning > 0) {
            long remaining = warning;
            tell(() -> subject.atRisk(remaining));
        }
        tellLost(loss);
    }

    /** What to ask about this lease, which is for its subject to say as well; so not under the lock. */
    Inquiry inquiry() {
        boolean orphaned = isRenewed() && saysAbandoned();
        boolean news;
        Inquiry inquiry;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return Inquiry.NONE;
            }
            news = orphaned && facts.abandon();
            inquiry = facts.inquiry(keeper.clock.now(), keeper.isClosed());
            if (inquiry == Inquiry.NONE) {
                facts.rest();
                wakeAt(facts.nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
        if (news) {
            long left = TimeUnit.NANOSECONDS.toMillis(facts.left(keeper.clock.now()));
            LOG.warn("{} is abandoned by its owner: renewed no more, lost in {} ms", subject, left);
        }
        return inquiry;
    }

    /** Joins the question if the lease is still to be asked about. */
    void join(Question<S> question) {
        keeper.lock.lock();
        try {
            if (state == State.KEPT && facts.ask(question)) {
                question.add(this);
                wakeAt(facts.nextDue());
            }
        } finally {
            keeper.lock.unlock();
        }
    }

    /** Under the keeper's lock, by who asks right afterwards. */
    void oweVerify(long now) {
        facts.oweVerify(now);
    }

    /** Takes what the store answered, or did not; true when this is the first time it did not since it last confirmed. */
    boolean answered(Question<S> question, RenewalOutcome outcome) {
        boolean renewed = false;
        boolean news = false;
        Loss loss = null;
        keeper.lock.lock();
        try {
            if (state != State.KEPT) {
                return false;
            }
            long now = keeper.clock.now();
            Freshness freshness = facts.freshness(question);
            switch (facts.next(outcome, freshness, now)) {
                case RESTART -> {
                    renewed = question.renews() && freshness != Freshness.OUTDATED;
                    restart(question);
                }
                case RETRY_SOON -> {
                    news = facts.unanswered(now);
                    wakeAt(facts.nextDue());
                }
                case GIVE_UP -> loss = outcome == RenewalOutcome.LOST ? refused() : runOut(now);
                case IGNORE -> {}
            }
        } finally {
            keeper.lock.unlock();
        }
        if (renewed) {
            tell(subject::renewed);
        }
        tellLost(loss);
        return news;
    }

    /** {@return milliseconds since the last confirmation, for the logs} */
    long ageMillis() {
        return TimeUnit.NANOSECONDS.toMillis(keeper.clock.now() - facts.confirmed());
    }

    @Override
    public String toString() {
        return String.valueOf(subject);
    }

    /** The only way out of KEPT; true for the one who took it. */
    private boolean leaveFor(State last) {
        if (state != State.KEPT) {
            return false;
        }
        state = last;
        keeper.left(this);
        return true;
    }

    private @Nullable Loss refused() {
        return leaveFor(State.LOST) ? Loss.REFUSED : null;
    }

    private @Nullable Loss runOut(long now) {
        return leaveFor(State.LOST) ? facts.ranOut(now, keeper.isClosed()) : null;
    }

    private void restart(Question<S> question) {
        if (question.renews()) {
            facts.confirm(question.sent(), keeper.pace.watchdogNanos());
        } else {
            facts.verified(question);
        }
        wakeAt(facts.nextDue());
    }

    private void wakeAt(long at) {
        keeper.deadlines.schedule(this, keeper.clock.nanoTime(at));
    }

    private boolean isRenewed() {
        keeper.lock.lock();
        try {
            return state == State.KEPT && facts.isRenewed(keeper.clock.now(), keeper.isClosed());
        } finally {
            keeper.lock.unlock();
        }
    }

    private boolean saysAbandoned() {
        try {
            return subject.isAbandoned();
        } catch (Throwable t) {
            LOG.warn("{} failed to say whether it is abandoned; taken for alive", subject, t);
            return false;
        }
    }

    private void tellLost(@Nullable Loss loss) {
        if (loss != null) {
            tell(() -> subject.lost(loss));
        }
    }

    /** What a subject throws has nobody to go to, and costs neither this lease nor another its renewal. */
    private void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable t) {
            LOG.warn("{} failed to hear news of its lease", subject, t);
        }
    }
}
