package dev.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * A limit that holds across processes: at most so many {@link Permits} at once, as {@link java.util.concurrent.Semaphore} keeps
 * one within a process. Obtained from {@link Holdfast#getSemaphore}.
 *
 * <p><b>Permits come back by themselves.</b> They belong to the handle of one request, which is a {@link Lease}: renewed by the
 * watchdog, or for the lease that was requested. When a process dies, its permits are free once that has run out, and go to the
 * first in line. There is no release without a handle, so no permit can be given back twice.
 *
 * <p><b>The number of permits is a part of each request</b>, and stored nowhere as a setting. A request is granted if the permits
 * that are held, with its own, are no more than its own limit. While versions with two limits run, as during a deployment, no more
 * are held than the larger one; when the last client that names that is gone, no more than the smaller. Each client logs one warning
 * for a pair of numbers. One process, too, may use a name with two numbers: the smaller one for work that has to leave room.
 *
 * <p><b>First come, first served, and nobody passes the line.</b> A client that finds too few permits gets a place in a line in
 * Redis, for the first of its callers that wait. While a client waits, permits are granted to the first one alone; so a request for many
 * has its turn, and a caller that does not wait gets nothing then, although some are free. Clients without a line, which are those
 * of a Redis cluster before 7.0 or without the {@code +pubsub|numsub} right, get permits in no particular order, and a request for
 * many may wait as long as others keep requesting few.
 *
 * <p><b>What it does not guarantee.</b> More permits than the limit can be in use while a holder that was stopped for longer than
 * its lease works on without knowing that the lease is lost; after a failover of Redis to a replica that lacked the last grants,
 * unless the client {@linkplain HoldfastBuilder#replicated awaits replicas}; and after the server's clock was set forward by more
 * than is left of a lease: in each case until the holders are told, at the next renewal at the latest. The clocks of clients play
 * no part.
 *
 * <p><b>Memory effects:</b> as for {@link java.util.concurrent.Semaphore}, what a thread did before its permits were closed is
 * visible to a thread of the same process that was granted permits because of that. What it wrote elsewhere, such as in a
 * database, is visible as that promises.
 *
 * <pre>{@code
 * DistributedSemaphore limit = holdfast.getSemaphore("partner-api", 4); // at most four calls at once, in all processes
 * try (Permits permit = limit.acquire()) {
 *     callPartner();
 * }
 * }</pre>
 *
 * <p>All methods that acquire throw {@link IllegalArgumentException} if more permits are requested than there are, or fewer than one;
 * {@link LockException} if Redis fails, refuses the command, or does not answer: within their wait or, without a limit of that, the
 * {@linkplain HoldfastBuilder#failoverTimeout failover timeout}; those that do not wait, within a command timeout. All methods throw
 * {@link IllegalStateException} if the client is closed, or if they block on the driver's I/O thread or the client's timer
 * thread. The futures complete on the {@linkplain HoldfastBuilder#callbackExecutor callback executor}; a caller that cancels or
 * completes one wants no permits any more, and those that were granted are released.
 *
 * <p>Nothing is re-entrant: a thread that holds permits and acquires more competes with all others, and with itself. A semaphore
 * object is cheap, immutable and safe to share. Not meant to be implemented by users, except by mocks: methods may be added.
 *
 * <p><b>Preview:</b> in 0.2 its methods may change without having been deprecated. Its guarantees are those of any other kind.
 */
public interface DistributedSemaphore {
    /** {@return the name of the semaphore} */
    String name();

    /** {@return how many permits there are, as this object was requested with} */
    int permits();

    // --- Blocking.

    /** {@link #acquire(int) Acquires} one permit. */
    @CheckReturnValue
    Permits acquire();

    /**
     * Waits for as long as it takes until it has these permits, which the watchdog renews. An interrupt is ignored, and the flag stays
     * set.
     *
     * @param permits from 1 to {@link #permits()}
     * @throws IllegalArgumentException if the number is out of range
     * @throws LockException if Redis failed, or did not answer for the failover timeout
     */
    @CheckReturnValue
    Permits acquire(int permits);

    /**
     * {@link #acquire(int)} with an explicit lease: the permits are not renewed, and are free when it has run out.
     *
     * @param lease from 1 ms to a century
     */
    @CheckReturnValue
    Permits acquire(int permits, Duration lease);

    /** {@link #acquireInterruptibly(int) Acquires} one permit. */
    @CheckReturnValue
    Permits acquireInterruptibly() throws InterruptedException;

    /**
     * {@link #acquire(int)}, until the thread is interrupted.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared, and it has no
     *     permits. If they are granted at the same moment, the method returns them and the flag stays set
     */
    @CheckReturnValue
    Permits acquireInterruptibly(int permits) throws InterruptedException;

    /** {@link #acquireInterruptibly(int)} with an explicit lease. */
    @CheckReturnValue
    Permits acquireInterruptibly(int permits, Duration lease) throws InterruptedException;

    /** {@link #tryAcquire(int) Acquires} one permit, if it is free. */
    @CheckReturnValue
    Optional<Permits> tryAcquire();

    /**
     * Acquires these permits if they are free and nobody waits in line, by one round trip. An interrupt is ignored, and the flag
     * stays set.
     *
     * @param permits from 1 to {@link #permits()}
     * @return the permits; empty if too few are free, or others wait
     */
    @CheckReturnValue
    Optional<Permits> tryAcquire(int permits);

    /**
     * Waits for these permits for a time at most.
     *
     * @param permits from 1 to {@link #permits()}
     * @param wait zero does not wait; negative throws; more than a century is treated as a century
     * @return the permits; empty if they were not granted in time, and Redis has said so no longer than a command timeout ago
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared, and it has no permits
     * @throws LockException if Redis failed, or there is no recent answer at the end of the wait
     */
    @CheckReturnValue
    Optional<Permits> tryAcquire(int permits, Duration wait) throws InterruptedException;

    /** {@link #tryAcquire(int, Duration)} with an explicit lease. */
    @CheckReturnValue
    Optional<Permits> tryAcquire(int permits, Duration wait, Duration lease) throws InterruptedException;

    // --- Async.

    /** {@link #acquire()}, without blocking. */
    CompletableFuture<Permits> acquireAsync();

    /** {@link #acquire(int)}, without blocking. */
    CompletableFuture<Permits> acquireAsync(int permits);

    /** {@link #acquire(int, Duration)}, without blocking. */
    CompletableFuture<Permits> acquireAsync(int permits, Duration lease);

    /** {@link #tryAcquire(int, Duration)}, without blocking. */
    CompletableFuture<Optional<Permits>> tryAcquireAsync(int permits, Duration wait);

    /** {@link #tryAcquire(int, Duration, Duration)}, without blocking. */
    CompletableFuture<Optional<Permits>> tryAcquireAsync(int permits, Duration wait, Duration lease);

    // --- Around a body.

    /**
     * Runs the body with one permit.
     *
     * @throws LeaseLostException if the permit was lost while the body ran. What the body throws has priority, and has this suppressed;
     *     a release that is not confirmed is only reported to listeners, since the body has run with the permit to its end
     */
    void runPermitted(Runnable body);

    /**
     * Calls the body with one permit, as {@link #runPermitted} does.
     *
     * @return what the body returns
     * @throws Exception what the body throws
     */
    <T> T callPermitted(Callable<T> body) throws Exception;

    // --- Inspecting.

    /**
     * {@return how many of {@link #permits()} were not held a moment ago} One that is free can be out of reach: the first in line has
     * priority. Zero, too, while clients with a larger limit hold more than these.
     *
     * @throws LockException if Redis failed, or did not answer within a command timeout
     */
    int availablePermits();

    /** {@link #availablePermits()}, without blocking. */
    CompletableFuture<Integer> availablePermitsAsync();

    /**
     * {@return who holds permits, and who waits in line, by the state of Redis at this moment}
     *
     * @throws LockException if Redis failed, or did not answer within a command timeout
     */
    SemaphoreInfo inspect();

    /** {@link #inspect()}, without blocking. */
    CompletableFuture<SemaphoreInfo> inspectAsync();

    /**
     * Releases the permits of an owner by force, of whichever client: for an operator who knows that it does not use them any more.
     * If it does, it learns of the loss at its next renewal, and more permits than the limit are in use until then.
     *
     * @param owner as {@link SemaphoreInfo.Holder#owner()} returns it
     * @return whether that owner had permits
     * @throws LockException if Redis failed, or did not answer within a command timeout: they may be released
     */
    boolean forceRelease(String owner);

    /** {@link #forceRelease}, without blocking. */
    CompletableFuture<Boolean> forceReleaseAsync(String owner);
}
