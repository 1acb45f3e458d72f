package dev.holdfast.watchdog;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
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
 * suspends that together come to no more than the smaller of a second and a tenth of the watchdog timeout (but at least
 * 100 ms).
 *
 * <p>A lease that is kept and ended before its renewal is due costs an entry in a queue and its removal: nothing is
 * sent, nothing is left. All leases share one deadline. Of very many that are due together, a tick sends only so many
 * batches without an answer, lest they keep everything else waiting. Safe for use by many threads; never blocks, never
 * calls out under a lock.
 *
 * @param <S> what leases are held for, and what the store finds them by
 */
public final class LeaseKeeper<S extends LeaseSubject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    final Deadlines deadlines;
    final LeaseClock clock;
    final Pace pace;

    /** Guards the roll and every lease on it. Taken before that of the deadlines, never after. */
    final ReentrantLock lock = new ReentrantLock();

    final LeaseSchedule<S> roll = new LeaseSchedule<>(this);
    final RenewalBatches<S> rounds;

    /** Guarded by the lock. */
    private boolean closed;

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
        this.rounds = new RenewalBatches<>(this, store);
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
        return enter(new LeaseLife<>(this, subject, clock.at(sentNanos), leaseNanos, watched));
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
        LeaseLife<S> lease;
        lock.lock();
        try {
            lease = new LeaseLife<>(this, subject, other, clock.at(sentNanos), leaseNanos, watched);
        } finally {
            lock.unlock();
        }
        return enter(lease);
    }

    /**
     * Who takes a lease does not wait for the next beat to doubt it and all others. A suspend before the first lease
     * enters is nothing to that; but it may be handed on from one that has left.
     */
    private LeaseLife<S> enter(LeaseLife<S> lease) {
        long wall = clock.wallNanos();
        long now = clock.now();
        boolean apart = clock.apart(wall, now);
        boolean suspended;
        lock.lock();
        try {
            boolean first = roll.size() == 0;
            if (first) {
                clock.beat();
                roll.open(now);
            }
            lease.enter();
            suspended = apart && !first && clock.beat();
        } finally {
            lock.unlock();
        }
        if (suspended) {
            verifyAfterSuspend();
        }
        return lease;
    }

    /**
     * Asks the store about every lease, now or, when there are very many, within the next ticks: renews the watched,
     * verifies the others without extending them. For the moment a connection is back. What was in flight before is not
     * awaited any more; should it be answered after all, the answer counts for what it proves. Does nothing after
     * {@link #close()}.
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
            all.forEach(lease -> lease.requestVerify(now));
            rounds.forget();
        } finally {
            lock.unlock();
        }
        rounds.ask(all);
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
        return rounds.renewals();
    }

    /** {@return how often the store had no answer about a lease so far, the question having failed or hung} */
    public long unknowns() {
        return rounds.unknowns();
    }

    /**
     * Renews and verifies nothing any more. What is kept runs out by itself, unless it ends first; a watched lease is then
     * lost as {@link LossCause#CLOSED}. An answer that is still on its way counts. Twice is fine.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            rounds.forget();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    boolean isClosed() {
        return closed;
    }

    /** At the end of a sweep, on its thread. */
    void swept(boolean suspended) {
        if (suspended) {
            verifyAfterSuspend();
        }
        rounds.askDue();
    }
}
