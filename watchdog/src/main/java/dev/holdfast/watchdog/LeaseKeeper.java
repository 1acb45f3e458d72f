package dev.holdfast.watchdog;

import dev.holdfast.watchdog.LeaseRule.Inquiry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps leases alive, and says when one is lost.
 *
 * <p>A lease is kept from {@link #keep} until it ends or is lost. A <em>watched</em> one is renewed a third of the watchdog
 * timeout after the command that confirmed it last was sent; an unwatched one runs out. Leases that are due together
 * travel together. An answer that does not come is not a loss: the lease is asked about again soon, and lost when its
 * time has passed, whether or not anything is still on its way. What the subject hears is listed in
 * {@link LeaseSubject}, what can be asked in {@link KeptLease}.
 *
 * <p>The monotonic clock decides. Beside it, once a second while anything is kept, the wall clock is compared: when it has
 * run far ahead, the machine was probably suspended, the monotonic clock did not count that and the store's did. Every
 * lease is then not valid until the store has answered a command that was sent after it was noticed; and one that can only
 * be verified, not renewed, is shortened by as much as the wall clock ran ahead. If somebody merely set the clock, that
 * costs a round trip, and an unwatched lease some of its time: wrong by being too careful. A wall clock that is set back
 * changes nothing.
 *
 * <p>What this cannot know: a suspend between the sending of the command that takes a lease and {@link #keep}, and
 * one shorter than the smaller of a second and a tenth of the watchdog timeout (but at least 100 ms).
 *
 * <p>A lease that is kept and ended before its renewal is due costs two entries in a queue and their removal: nothing is
 * sent, nothing is left. Safe for use by many threads; never blocks, never calls out under a lock.
 *
 * @param <S> what leases are held for, and what the store finds them by
 */
public final class LeaseKeeper<S extends LeaseSubject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

    final Deadlines deadlines;
    final LeaseClock clock;
    final Pace pace;

    /** Guards the roll and every lease on it. Taken before that of the deadlines, never after. */
    final ReentrantLock lock = new ReentrantLock();

    private final LeaseStore<S> store;
    private final int batchLimit;
    private final Heartbeat heartbeat = new Heartbeat();

    // Guarded by the lock.
    private final LeaseRoll<S> roll = new LeaseRoll<>();
    private List<LeaseLife<S>> due = new ArrayList<>();
    private boolean closed;

    private final LongAdder renewals = new LongAdder();
    private final LongAdder unknowns = new LongAdder();
    /** Set by the first batch that has trouble, cleared by the next that has none; the first is logged. */
    private final AtomicBoolean troubled = new AtomicBoolean();

    /**
     * Nothing is scheduled until the first lease is kept.
     *
     * @param deadlines also the keeper's monotonic clock; not closed by it
     * @param wallMillis the wall clock, normally {@code System::currentTimeMillis}; only ever compared, never trusted
     * @throws IllegalArgumentException when the store's batch limit is less than one
     */
    public LeaseKeeper(Deadlines deadlines, LongSupplier wallMillis, LeaseTerms terms, LeaseStore<S> store) {
        this.deadlines = deadlines;
        this.pace = new Pace(terms);
        this.clock = new LeaseClock(deadlines::nanoTime, wallMillis, pace.suspendNanos());
        this.store = store;
        this.batchLimit = store.batchLimit();
        if (batchLimit < 1) {
            throw new IllegalArgumentException(
                    "batchLimit must be at least 1, was " + batchLimit + ": nothing could be asked");
        }
    }

    /**
     * Keeps a lease that the store has just granted.
     *
     * <p>Works after {@link #close()} too, but renews nothing. When the deadlines are closed, the lease still knows
     * whether it is valid, but nobody is told when it is not.
     *
     * @param sentNanos the time just before the command was sent, on the scale of {@link Deadlines#nanoTime()}
     * @param leaseNanos what the command asked for; when less is left than nothing, the loss is told at the next tick
     * @param watched whether it is renewed; what that is changes with {@link KeptLease#watch}
     */
    public KeptLease keep(S subject, long sentNanos, long leaseNanos, boolean watched) {
        return keep(subject, sentNanos, leaseNanos, watched, null);
    }

    /**
     * Keeps a lease that a command on its way hands on from another: what is not known to be the one's yet is still the
     * other's, as far as the store is concerned. So the new lease is valid until what the command would prove or until the
     * present end of the other, whichever is first. {@link KeptLease#confirmed}, with the same times, lifts it to what the
     * answer proves; {@link KeptLease#lose} says that the store refused; without an answer it is lost at that end.
     *
     * <p>Until then it is renewed, warned of and asked about like any other: a third of the watchdog timeout after the
     * command was sent, or half way to its end if that is sooner. The store must hear the question after the command; whose
     * command may not have arrived at all sends it again before it calls {@link #verifyAll()}, lest a lease be lost that
     * could still be handed on.
     *
     * <p>A lease that is suspect because of a suspend hands its suspicion on with it, also a suspend that is only noticed
     * now: the new one is not valid until the store has answered a command that was sent afterwards, and it is asked at
     * once. The present command is as good as any if it was sent late enough.
     *
     * @param from the lease that is handed on, still kept or ended, of this keeper; from one that was lost there is
     *     nothing to hand on, and the new one is lost at the next tick. It is not ended by this
     * @throws IllegalArgumentException when the other lease is another keeper's
     */
    public KeptLease keepUnconfirmed(S subject, long sentNanos, long leaseNanos, boolean watched, KeptLease from) {
        LeaseLife<?> other = (LeaseLife<?>) from;
        if (other.keeper() != this) {
            throw new IllegalArgumentException(
                    "from must be a lease of this keeper, was of another: " + from + "; their clocks do not compare");
        }
        return keep(subject, sentNanos, leaseNanos, watched, other);
    }

    private KeptLease keep(S subject, long sentNanos, long leaseNanos, boolean watched, @Nullable LeaseLife<?> from) {
        LeaseLife<S> lease;
        boolean suspended;
        lock.lock();
        try {
            if (roll.size() == 0) {
                clock.beat();
                heartbeat.schedule();
            }
            long sent = clock.at(sentNanos);
            LeaseFacts facts = from == null
                    ? new LeaseFacts(clock, pace, sent, leaseNanos, watched)
                    : from.handOn(sent, leaseNanos, watched);
            lease = new LeaseLife<>(this, subject, facts);
            roll.enter(lease);
            lease.begin();
            suspended = clock.apart() && clock.beat();
        } finally {
            lock.unlock();
        }
        if (suspended) {
            verifyAfterSuspend();
        }
        return lease;
    }

    /**
     * Asks the store about every lease at once: renews the watched, verifies the others without extending them. For the
     * moment a connection is back. What was in flight before is not awaited any more; should it be answered after all, the
     * answer counts for what it proves. Does nothing after {@link #close()}.
     */
    public void verifyAll() {
        List<LeaseLife<S>> all;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            all = roll.toList();
            long now = clock.now();
            all.forEach(lease -> lease.oweVerify(now));
        } finally {
            lock.unlock();
        }
        ask(all);
    }

    private void verifyAfterSuspend() {
        LOG.debug("the wall clock ran ahead of the monotonic one; all leases are verified");
        verifyAll();
    }

    /** {@return how many leases are kept} */
    public int size() {
        lock.lock();
        try {
            return roll.size();
        } finally {
            lock.unlock();
        }
    }

    /** {@return how many leases the store was asked to renew so far; a lease counts each time} */
    public long renewals() {
        return renewals.sum();
    }

    /** {@return how often the store had no answer about a lease so far, the question having failed or hung} */
    public long unknowns() {
        return unknowns.sum();
    }

    /**
     * Renews and verifies nothing any more. What is kept runs out by itself, unless it ends first; a watched lease is then
     * lost as {@link Loss#CLOSED}. An answer that is still on its way counts. Twice is fine.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    boolean isClosed() {
        return closed;
    }

    /** Under the lock: the lease is over, and nothing of it stays. */
    void left(LeaseLife<S> lease) {
        deadlines.cancel(lease);
        roll.leave(lease);
        if (roll.size() == 0) {
            deadlines.cancel(heartbeat);
        }
    }

    /** Under the lock, from a deadline: whoever is due in the same sweep is asked about in the same batch. */
    void askAtSweepEnd(LeaseLife<S> lease) {
        if (due.isEmpty()) {
            deadlines.atSweepEnd(this::askDue);
        }
        due.add(lease);
    }

    /** A question about this lease was given up on; it is news when it is the first since the lease was confirmed. */
    void hung(LeaseLife<S> lease, boolean news) {
        unknowns.increment();
        if (news && troubled.compareAndSet(false, true)) {
            LOG.warn(
                    "no answer about {}, last confirmed {} ms ago; asked again until it runs out",
                    lease,
                    lease.ageMillis());
        }
    }

    /** A question was answered, or failed. */
    void heard(Question<S> question, int unknown, @Nullable LeaseLife<S> news, @Nullable Throwable failure) {
        if (unknown == 0) {
            troubled.set(false);
            return;
        }
        unknowns.add(unknown);
        if (news != null && troubled.compareAndSet(false, true)) {
            LOG.warn(
                    "no answer about {} of {} leases, one is {}, last confirmed {} ms ago; asked again until they run out",
                    unknown,
                    question.size(),
                    news,
                    news.ageMillis(),
                    failure);
        }
    }

    private void askDue() {
        List<LeaseLife<S>> batch;
        lock.lock();
        try {
            batch = due;
            due = new ArrayList<>();
        } finally {
            lock.unlock();
        }
        ask(batch);
    }

    private void ask(List<LeaseLife<S>> leases) {
        List<LeaseLife<S>> renew = new ArrayList<>(leases.size());
        List<LeaseLife<S>> verify = new ArrayList<>();
        for (LeaseLife<S> lease : leases) {
            switch (lease.inquiry()) {
                case RENEW -> renew.add(lease);
                case VERIFY -> verify.add(lease);
                case NONE -> {}
            }
        }
        ask(Inquiry.RENEW, renew);
        ask(Inquiry.VERIFY, verify);
    }

    /** One batch after the other, each with the time of its own sending. */
    private void ask(Inquiry inquiry, List<LeaseLife<S>> leases) {
        for (int from = 0; from < leases.size(); from += batchLimit) {
            Question<S> question = new Question<>(this, inquiry, clock.now());
            leases.subList(from, Math.min(leases.size(), from + batchLimit)).forEach(lease -> lease.join(question));
            if (question.size() > 0) {
                renewals.add(question.renews() ? question.size() : 0);
                question.send(store);
            }
        }
    }

    /** Looks for a suspend while anything is kept. */
    private final class Heartbeat extends Deadline {
        void schedule() {
            deadlines.schedule(this, deadlines.nanoTime() + BEAT_NANOS);
        }

        @Override
        protected void expired() {
            boolean suspended;
            lock.lock();
            try {
                if (roll.size() == 0) {
                    return;
                }
                suspended = clock.beat();
                schedule();
            } finally {
                lock.unlock();
            }
            if (suspended) {
                verifyAfterSuspend();
            }
        }

        @Override
        public String toString() {
            return "the watchdog's heartbeat";
        }
    }
}
