package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A held lock as an object: it is itself the owner, independent of any thread, and {@link #close()} releases it.
 *
 * <p>It is not re-entrant: a thread that acquires the lock again gets another lease, or waits. It may be passed to
 * other threads; every method is safe for use by any of them.
 *
 * <p>A lease is a promise about time. {@link #isValid()} can become false right after it was read; data that must not
 * be written by an owner that was paused for too long needs a {@link FencedLock}, and a check of the token by the
 * resource.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire()) {
 *     ship(order);
 * }
 * }</pre>
 *
 * <p>A lease that was dropped without {@code close} and garbage-collected is no longer renewed: a warning is logged,
 * and it runs out.
 */
public interface Lease extends AutoCloseable {
    /** {@return the name of the lock} */
    String name();

    /** {@return whether the lock is still held, as far as this process can know; local, no I/O} */
    boolean isValid();

    /**
     * {@return the fencing token of the hold: larger than that of any hold before, so that the protected resource can
     * refuse the write of an owner that comes too late} Local, no I/O. A lease that was lost or closed still returns
     * it, since that is when its writes must be refused.
     *
     * @throws UnsupportedOperationException if the lock is not a {@link FencedLock}
     */
    long token();

    /**
     * {@return how long the lease is still valid without a further renewal} Zero when it is not valid. Counted from
     * when the last confirmed command was sent, less the drift allowance; local, no I/O.
     */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now. It is never shortened; a lease that the watchdog renews
     * continues to be renewed. Waits for Redis to confirm, at most for the {@linkplain HoldfastBuilder#failoverTimeout failover
     * timeout}; an interrupt does not end the wait, and the flag is set again when the method returns.
     *
     * @param lease at least 1 ms
     * @throws LeaseLostException if the lease had been lost, or Redis replied that it is
     * @throws LockException if Redis failed or did not answer: the lease is as long as it was, or longer
     * @throws IllegalMonitorStateException if the lease was closed
     */
    void extend(Duration lease);

    /**
     * {@return a stage that completes when the lease is lost, with the details of the loss} It never completes for a
     * lease that was released in time. It completes on the client's callback executor.
     *
     * <p>The actions attached to the stage are referenced for as long as the lock is held. So an action that refers to
     * the lease keeps it from being garbage-collected: if such a lease is dropped without {@code close}, it continues
     * to be renewed, and no warning is logged. An action should refer to the work it has to stop, not to the lease; an
     * action of {@link #onAtRisk} may refer to either.
     */
    CompletionStage<LeaseLoss> lost();

    /**
     * Adds an action that runs when the lease is at risk: a renewal has had no reply, and half of the lease that was
     * left when it was sent has passed. The lease is still held, and this is the time to finish the work under it, or
     * to prepare to stop. If a renewal succeeds after all, the lease is safe again, and the action runs again the next
     * time it is at risk. An explicit lease that is not renewed is never at risk: {@link #remaining()} returns how long
     * it lasts.
     *
     * <p>The action runs on the client's callback executor; its argument is how long the lease is still valid at that
     * moment. An exception of the action is logged. The action does not run once the lease was closed, nor for a risk
     * that began before the action was added.
     */
    void onAtRisk(Consumer<Duration> action);

    /**
     * Releases the lock, and waits for Redis to confirm it, at most for the {@linkplain HoldfastBuilder#failoverTimeout
     * failover timeout}; an interrupt does not end the wait, and the flag is set again when the method returns. Does nothing
     * when called again.
     *
     * @throws LeaseLostException if the lease was lost before: the work done under it may have overlapped with another
     *     owner's
     * @throws ReleaseUnconfirmedException if the lease was valid until then, and Redis refused the release or did not
     *     answer. The work is done, so do not repeat it. The lock counts as released: it is no longer renewed, the client
     *     retries the release, and the key expires with its lease at the latest
     * @throws LockException if it is not known besides whether the lease was valid until then: the process seems to have
     *     been suspended, or another program has overwritten the key
     */
    @Override
    void close();

    /**
     * {@link #close()} without waiting; closes the lease at once.
     *
     * @return completes when Redis has confirmed, or exceptionally with what {@code close} would throw
     */
    CompletableFuture<@Nullable Void> releaseAsync();

    /**
     * Releases the lock after a delay: the lease is closed from now on, but the lock stays busy for every owner until
     * the delay has passed. For work that must not be repeated too soon, as when the clocks of several machines start
     * it:
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
     * <p>The delay replaces what was left of the lease, whether that is shorter or longer, and starts with the call.
     * Redis measures it, as the expiry of the key, so it also passes when this process ends. Until then
     * {@link DistributedLock#inspect()} shows the lock as held by this lease's owner, since the call, with the rest of
     * the delay; {@link DistributedLock#forceUnlock()} frees it. Waiters in every process try again when the delay has
     * passed. A delay of zero or less is {@link #close()}.
     *
     * <p>Waits for Redis to confirm as {@code close} does, at most for the {@linkplain HoldfastBuilder#failoverTimeout failover
     * timeout}; an interrupt does not end the wait, and the flag is set again when the method returns. Does nothing if the
     * lease was closed before, by any method: the first call decides.
     *
     * @param delay for how long the lock stays busy; a fraction of a millisecond is rounded up
     * @throws LeaseLostException if the lease was lost before, or its key was lost before the delay has passed and this
     *     call detects that: the work done under the lease may have overlapped with another owner's, and the lock is not
     *     kept busy
     * @throws ReleaseUnconfirmedException if the lease was valid until then, and Redis failed, did not answer, or too few
     *     replicas confirmed ({@link HoldfastBuilder#replicated}). The work is done. The lease counts as closed all the same,
     *     and is no longer renewed: the lock may be free before the delay has passed. If the lease lasts longer than the delay,
     *     the client releases the lock when the delay has passed, and retries that release if it fails; a client that was
     *     closed before does not
     * @throws LockException if it is not known besides whether the lease was valid until then, as for {@code close}
     * @throws IllegalArgumentException if the delay is longer than a century
     */
    void closeAfter(Duration delay);

    /**
     * {@link #closeAfter} without waiting; closes the lease at once.
     *
     * @return completes when Redis has confirmed, or exceptionally with what {@code closeAfter} would throw. If the
     *     lease was closed before, by any method, it completes with the outcome of that call
     */
    CompletableFuture<@Nullable Void> closeAfterAsync(Duration delay);
}
