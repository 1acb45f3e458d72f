package dev.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/**
 * A lock over a thing that is divided into parts, such as a stock of 1,000 items in 20 segments of 50: a caller gets
 * <em>any</em> free segment, and its number. So as many callers as there are segments work at the same time, and each
 * has its segment to itself.
 *
 * <p>Segment {@code i} of the lock {@code name} is the {@link DistributedLock} {@code name:i}, with {@code i} from 0,
 * and can be used as that by any client, Redisson's included. There is nothing else in Redis. On a cluster each segment
 * is in the slot of its own name, unless the name has a hash tag ({@code {..}}). All clients should use the same number
 * of segments; one that uses fewer never gets the others.
 *
 * <p><b>Ownership.</b> A segment belongs to the {@link SegmentLease} returned, which any thread may close. It is not
 * re-entrant: a further call gets another segment, or waits.
 *
 * <p><b>Exhausted segments.</b> A caller that finds nothing of use in a segment goes on with a view that does without
 * it. Views are cheap and immutable, so the threads of a process can share one:
 *
 * <pre>{@code
 * SegmentedLock stock = holdfast.getSegmentedLock("stock:7", 20);
 * while (!stock.isEmpty()) {
 *     try (SegmentLease part = stock.acquire()) {
 *         if (sellFrom(part.segment())) {
 *             break;
 *         }
 *         stock = stock.without(part.segment());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Which segment, and at what cost.</b> A call begins with a segment chosen at random, one that no owner of this
 * client uses if there is such a segment. If that is busy, one round trip queries the others, and those that are free
 * are tried one after the other. So a call that does not wait takes one round trip if there is little contention, and
 * two if all segments are busy.
 *
 * <p><b>Waiting.</b> A call that finds all segments busy waits for all of them at once, and gets the first that is
 * granted to it; a second one that is granted at the same moment is released at once. No caller polls. The callers of
 * one client share one place in the queue of each segment, so each grant costs as much as one of a
 * {@link DistributedLock}, however many segments there are. They are served in the order in which they began to wait,
 * except that a segment goes to the first whose view has it. A client that begins to wait takes two commands for each
 * segment, and as many when none of its callers waits any more; {@link HoldfastStats} and {@link LockListener} count and
 * report these as calls for the locks of the segments.
 *
 * <p><b>Leases, losses and failures</b> are those of {@link DistributedLock}. A segment that cannot be acquired, since
 * its Redis node does not answer or its key is not a lock, is left out while others can be: a call fails with a
 * {@link LockException} when that is so for all its segments, or when it must not wait (any longer) and it is unknown
 * whether one of them is free.
 *
 * <p>A lock object is cheap, immutable and safe to share. Not meant to be implemented by users, except by mocks:
 * methods may be added.
 */
public interface SegmentedLock {
    /** {@return the name with which this lock was requested} */
    String name();

    /** {@return the number of segments with which this lock was requested} */
    int size();

    /** {@return the numbers of the segments that this view acquires, in ascending order; not modifiable} */
    SortedSet<Integer> segments();

    /** {@return whether this view has no segment left} */
    boolean isEmpty();

    /**
     * {@return the lock of one segment, which need not be in this view}
     *
     * @param segment from 0 up to, but not including, {@link #size()}
     * @throws IllegalArgumentException if there is no such segment
     */
    DistributedLock segment(int segment);

    /**
     * {@return a view of this lock that does not acquire these segments} This view is not changed, and what is held
     * stays held. Segments that this view does without already may be named again.
     *
     * @param segments each from 0 up to, but not including, {@link #size()}
     * @throws IllegalArgumentException if there is no such segment
     */
    SegmentedLock without(int... segments);

    /**
     * Acquires a segment, and waits without a limit for the first that becomes free. Watched. <b>Uninterruptible:</b> an
     * interrupt does not end the wait, and the thread's interrupt flag is set again when the method returns.
     *
     * @return the handle that owns the segment
     * @throws LockException if Redis failed, or did not answer or execute commands for the {@linkplain
     *     HoldfastBuilder#failoverTimeout failover timeout}, for all segments
     * @throws IllegalStateException if this view {@linkplain #isEmpty() is empty}, the client is closed, or this is the
     *     driver's I/O thread or the client's timer thread
     */
    @CheckReturnValue
    SegmentLease acquire();

    /**
     * {@link #acquire()} with an explicit lease; uninterruptible as well.
     *
     * @param lease at least 1 ms; counted from the moment at which the command that acquires the segment is sent
     */
    @CheckReturnValue
    SegmentLease acquire(Duration lease);

    /**
     * {@link #acquire()}, but an interrupt ends the wait, and no segment is then acquired.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     */
    @CheckReturnValue
    SegmentLease acquireInterruptibly() throws InterruptedException;

    /** {@link #acquireInterruptibly()} with an explicit lease. */
    @CheckReturnValue
    SegmentLease acquireInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires a segment if one is free, and never waits for an owner to release one. May overtake waiters. Watched.
     * Interrupts are ignored, and the flag stays set.
     *
     * @return the handle that owns the segment; empty when Redis replied that each segment of this view is busy
     * @throws LockException if Redis failed, or did not answer or execute commands for the command timeout, and no free
     *     segment was found
     * @throws IllegalStateException as {@link #acquire()} does
     */
    @CheckReturnValue
    Optional<SegmentLease> tryAcquire();

    /**
     * Acquires a segment, and waits at most {@code wait} for one to become free. Watched. At the end of the wait the
     * result is empty if Redis replied, for each segment of this view and no longer ago than the command timeout, that
     * it is busy; otherwise the method throws. A reply that is outstanding at that moment is awaited for up to 100 ms
     * more.
     *
     * @param wait zero means {@link #tryAcquire()}; negative throws; more than a century is treated as a century
     * @return the handle that owns the segment; empty when all of them stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; no segment is then acquired
     * @throws LockException if Redis failed, or there is no recent reply at the end of the wait
     * @throws IllegalArgumentException if the wait is negative
     * @throws IllegalStateException as {@link #acquire()} does
     */
    @CheckReturnValue
    Optional<SegmentLease> tryAcquire(Duration wait) throws InterruptedException;

    /** {@link #tryAcquire(Duration)} with an explicit lease. */
    @CheckReturnValue
    Optional<SegmentLease> tryAcquire(Duration wait, Duration lease) throws InterruptedException;

    /**
     * {@link #acquire()} without blocking.
     *
     * @return completes on the client's callback executor once a segment is held, or exceptionally with what
     *     {@code acquire} would throw. Cancelling it, or completing it in any other way, abandons the attempt: it
     *     acquires nothing
     */
    @CheckReturnValue
    CompletableFuture<SegmentLease> acquireAsync();

    /** {@link #acquireAsync()} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<SegmentLease> acquireAsync(Duration lease);

    /** {@link #tryAcquire(Duration)} without blocking; see {@link #acquireAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Optional<SegmentLease>> tryAcquireAsync(Duration wait);

    /** {@link #tryAcquireAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Optional<SegmentLease>> tryAcquireAsync(Duration wait, Duration lease);
}
