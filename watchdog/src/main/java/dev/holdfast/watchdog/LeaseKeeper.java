package dev.holdfast.watchdog;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews leases, and notifies their subjects when one is lost.
 *
 * <p>A lease is kept from {@link #keep} until it ends or is lost. A <em>watched</em> lease is renewed a third of the
 * watchdog timeout after the command that confirmed it last was sent; an unwatched one runs out. Leases that are due
 * together are sent in one batch. A missing reply is not a loss: another request for the lease is sent soon, and the
 * lease is lost when its time has passed, whether or not a request is still in flight. The callbacks are listed in
 * {@link LeaseSubject}, the queries in {@link KeptLease}.
 *
 * <p>The monotonic clock decides. In addition, once a second while any lease is kept, it is compared with the wall
 * clock. When the wall clock has run far ahead, the machine was probably suspended, and the monotonic clock did not
 * count that time while the store's clock did. Then no lease is valid until the store has replied to a command that was
 * sent after the suspend was detected; and a lease that can only be verified, not renewed, is shortened by as much as
 * the wall clock ran ahead. If the wall clock was merely set forward, that costs a round trip, and an unwatched lease
 * some of its time: an error on the safe side. A wall clock that is set back changes nothing.
 *
 * <p>Two cases cannot be detected: a suspend between the sending of the command that acquires a lease and
 * {@link #keep}, and suspends that sum up to no more than the smaller of a second and a tenth of the watchdog timeout
 * (but at least 100 ms).
 *
 * <p>A lease that is kept and ended before its renewal is due costs the insertion and removal of a heap entry: no
 * command is sent, and no entry remains. All leases share one deadline. If very many leases are due together, a tick
 * sends only a limited number of unanswered batches, so that they do not delay all other commands. Safe for use by many
 * threads; never blocks, and never calls foreign code under a lock.
 *
 * @param <S> the subject of a lease, by which the store also finds it
 * @see "LeaseRenewalTest, LeaseBatchTest, LeaseLossTest"
 */
public final class LeaseKeeper<S extends LeaseSubject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    final Deadlines deadlines;
    final LeaseClock clock;
    final Pace pace;

    /** Guards the schedule and every lease in it. Taken before the lock of the deadlines, never after it. */
    final ReentrantLock lock = new ReentrantLock();

    final LeaseSchedule<S> schedule = new LeaseSchedule<>(this);
    final RenewalBatches<S> batches;

    /** Guarded by the lock. */
    private boolean closed;

    /**
     * A keeper of leases; no deadline is scheduled until the first lease is kept.
     *
     * @param deadlines also the keeper's monotonic clock; not closed by the keeper
     * @param wallMillis the wall clock, normally {@code System::currentTimeMillis}; only compared, never used as the
     *     time
     * @throws IllegalArgumentException when the store's batch limit is less than one
     */
    public LeaseKeeper(Deadlines deadlines, LongSupplier wallMillis, LeaseTerms terms, LeaseStore<S> store) {
        this.deadlines = deadlines;
        this.pace = new Pace(terms);
        this.clock = new LeaseClock(deadlines::nanoTime, wallMillis, pace.suspendNanos());
        this.batches = new RenewalBatches<>(this, store);
    }

    /**
     * Keeps a lease that the store has just granted.
     *
     * <p>Works after {@link #close()} too, but the lease is not renewed. When the deadlines are closed, the lease can
     * still be queried for its validity, but its subject is not notified when it runs out.
     *
     * @param sentNanos the time just before the command was sent, on the scale of {@link Deadlines#nanoTime()}
     * @param leaseNanos the lease that the command requested; if it has passed already, the loss is reported at the
     *     next tick
     * @param watched whether the lease is renewed; {@link KeptLease#watch} changes it
     */
    public KeptLease keep(S subject, long sentNanos, long leaseNanos, boolean watched) {
        return enter(new LeaseLife<>(this, subject, clock.at(sentNanos), leaseNanos, watched));
    }

    /**
     * Keeps a lease that a command in flight hands off from another lease: until the store executes the command, it
     * still has the other lease. So the new lease is valid until the end that the command would prove, or until the
     * present end of the other, whichever is first. {@link KeptLease#confirmed}, with the same times, extends it to the
     * end that the reply proves; {@link KeptLease#lose} reports that the store refused; without a reply the lease is
     * lost at its present end.
     *
     * <p>Until then it is renewed, verified and reported as at risk like any other lease: its first request is due a
     * third of the watchdog timeout after the command was sent, or half way to its end if that is sooner. The store
     * must execute the request after the command. A caller whose command may not have arrived at all must send it again
     * before it calls {@link #verifyAll()}; otherwise a lease could be lost that could still be handed off.
     *
     * <p>If the other lease is suspect because of a suspend, so is the new one, even if the suspend is detected only
     * now: it is not valid until the store has replied to a command that was sent after the detection, and a request is
     * sent at once. The command in flight counts as such a command if it was sent late enough.
     *
     * @param from the lease that is handed off, still kept or ended, of this keeper; a lost one cannot be handed off,
     *     and the new lease is then lost at the next tick. This method does not end it
     * @throws IllegalArgumentException when the other lease belongs to another keeper
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
     * Each {@code keep} checks for a suspend at once, not only at the next clock comparison. A suspend before the first
     * lease is kept does not concern that lease, unless it is handed off from one that is no longer kept.
     */
    private LeaseLife<S> enter(LeaseLife<S> lease) {
        long wall = clock.wallNanos();
        long now = clock.now();
        boolean apart = clock.apart(wall, now);
        boolean suspended;
        lock.lock();
        try {
            boolean first = schedule.size() == 0;
            if (first) {
                clock.compareClocks();
                schedule.open(now);
            }
            lease.enter();
            suspended = apart && !first && clock.compareClocks();
        } finally {
            lock.unlock();
        }
        if (suspended) {
            verifyAfterSuspend();
        }
        return lease;
    }

    /**
     * Sends a request for every lease, now or, when there are very many, within the next ticks: renews the watched
     * leases, and verifies the others without extending them. To be called when a connection was re-established.
     * Earlier requests that are still in flight are no longer awaited; if a reply arrives after all, it counts for what
     * it proves. Does nothing after {@link #close()}.
     */
    public void verifyAll() {
        verify(subject -> true, batches::forget);
    }

    /**
     * Does the same for some of the leases: those whose store was replaced, or connected again.
     *
     * @param which the subjects of these leases; called under the lock of the keeper, so it must not block
     */
    public void verify(Predicate<? super S> which) {
        verify(which, () -> {});
    }

    private void verify(Predicate<? super S> which, Runnable before) {
        List<LeaseLife<S>> all;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            all = schedule.toList().stream()
                    .filter(lease -> which.test(lease.subject()))
                    .toList();
            long now = clock.now();
            all.forEach(lease -> lease.requestVerify(now));
            before.run();
        } finally {
            lock.unlock();
        }
        batches.request(all);
    }

    private void verifyAfterSuspend() {
        LOG.debug("the wall clock ran ahead of the monotonic one; all leases are verified");
        verifyAll();
    }

    /** {@return until when a lease is valid that the store has confirmed, by a command sent at this time} */
    public long validUntilNanos(long sentNanos, long leaseNanos) {
        return pace.validUntil(sentNanos, leaseNanos);
    }

    /** {@return how many leases are kept} */
    public int size() {
        lock.lock();
        try {
            return schedule.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops all renewals and verifications. Leases that are still kept run out, unless they end first; a watched lease
     * is then lost with {@link LossCause#CLOSED}. A reply that is still outstanding counts. Idempotent.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            batches.forget();
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
        batches.requestDue();
    }
}
