package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A held lock as an object: it belongs to whoever has it, not to a thread, and is given back by {@link #close()}.
 *
 * <p>It is not re-entrant: the same thread that acquires again gets another lease or waits. It may be passed on to other
 * threads; every method is safe for use by any of them.
 *
 * <p>A lease is a promise about time. {@link #isValid()} can turn false right after it was read; what must not be written
 * by a holder that was paused for too long needs a {@link FencedLock}, and a check on the side of the resource.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire()) {
 *     ship(order);
 * }
 * }</pre>
 *
 * <p>A lease that was dropped without {@code close} and collected is no longer renewed: a warning is logged, and it runs
 * out.
 */
public interface Lease extends AutoCloseable {
    /** {@return the name of the lock} */
    String lockName();

    /** {@return whether the lock is still held, as far as this process can know; local, no I/O} */
    boolean isValid();

    /**
     * {@return the fencing token of the lock: larger than that of any hold before, so that what the lock protects can refuse
     * whoever comes too late} Local, no I/O. A lease that was lost or closed still has it, since it is then that it is to be
     * refused.
     *
     * @throws UnsupportedOperationException if the lock is not a {@link FencedLock}
     */
    long token();

    /**
     * {@return how long the lease is still valid if it is not renewed any more} Zero when it is not valid. Counted from
     * when the last confirmed command was sent, less the drift allowance; local, no I/O.
     */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now. It never gets shorter; one that the watchdog renews goes on being
     * renewed. Waits for Redis to confirm, at most for the command timeout; an interrupt is kept for later.
     *
     * @param lease at least 1 ms
     * @throws LeaseLostException if the lease had been lost, or Redis says that it is
     * @throws LockException if Redis failed or did not answer: the lease is as long as it was, or longer
     * @throws IllegalMonitorStateException if the lease was closed
     */
    void extend(Duration lease);

    /**
     * {@return a stage that completes when the lease is lost, with what is known about that} It never completes for a
     * lease that was given back in time. It completes on the client's callback executor.
     *
     * <p>What is to be done then is kept for as long as the lock is held. So an action that refers to the lease keeps it from
     * being collected: if it is dropped without {@code close}, it goes on being renewed, and nothing is logged of it. An
     * action should refer to what it has to stop, not to the lease; that of {@link #onAtRisk} may refer to either.
     */
    CompletionStage<LeaseLoss> lost();

    /**
     * Has an action told when the lease is at risk: a renewal has had no answer, and half of what was left of the lease when
     * it was sent has passed. That is the time to come to an end, or to be ready to; the lease is still held. If a renewal
     * is answered after all, it is safe again, and the action is told anew should it come to that another time. An explicit
     * lease that is not renewed is never at risk: {@link #remaining()} tells its end.
     *
     * <p>The action runs on the client's callback executor, each time with how long the lease is still valid then. What it
     * throws is logged. It is not told once the lease was closed, nor of a risk that was there before it was given.
     */
    void onAtRisk(Consumer<Duration> action);

    /**
     * Gives the lock back, and waits for Redis to confirm it, at most for the command timeout; an interrupt is kept for
     * later. Does nothing when called again.
     *
     * @throws LeaseLostException if the lease was lost before: what was done under it may not have been alone
     * @throws LockException if Redis failed or did not answer. The lock counts as given back all the same: it is renewed
     *     no more, the client goes on trying to release it, and its lease runs out at the latest
     */
    @Override
    void close();

    /**
     * {@link #close()} without waiting; closes the lease at once.
     *
     * @return completes when Redis has confirmed, exceptionally with what {@code close} would throw
     */
    CompletableFuture<@Nullable Void> releaseAsync();

    /**
     * Gives the lock back, but keeps everybody out for a while: from now on the lease is closed, and the lock is free when the
     * delay has passed. For work that must not be done again too soon, as when clocks of several machines start it:
     *
     * <pre>{@code
     * Lease lease = lock.acquire();
     * try {
     *     report();
     * } finally {
     *     lease.closeAfter(Duration.between(Instant.now(), earliestNextRun));
     * }
     * }</pre>
     *
     * <p>The delay replaces what was left of the lease, whether that is shorter or longer, and starts with the call. It is
     * Redis that counts it, so it passes just as well when this process ends. Until then {@link DistributedLock#inspect()} shows
     * the lock as held by this lease's owner, since the call, with what is left; {@link DistributedLock#forceUnlock()} frees it. Those who
     * wait, in any process, try again at its end. A delay of zero or less is {@link #close()}.
     *
     * <p>Waits for Redis to confirm as {@code close} does, at most for the command timeout; an interrupt is kept for later. Does
     * nothing if the lease was closed before, by whichever method: the first one decides.
     *
     * @param delay for how long others are kept out; a part of a millisecond counts as a whole one
     * @throws LeaseLostException if the lease was lost before: what was done under it may not have been alone, and nobody is
     *     kept out
     * @throws LockException if Redis failed or did not answer. The lease counts as closed all the same, and is renewed no
     *     more. If it ends before the delay, so may the exclusion; if it is longer, the client releases the lock when the delay
     *     has passed, and goes on trying
     * @throws IllegalArgumentException if the delay is longer than a century
     */
    void closeAfter(Duration delay);

    /**
     * {@link #closeAfter} without waiting; closes the lease at once.
     *
     * @return completes when Redis has confirmed, exceptionally with what {@code closeAfter} would throw. Of a lease that was
     *     closed before, by whichever method, it is the outcome of that
     */
    CompletableFuture<@Nullable Void> closeAfterAsync(Duration delay);
}
