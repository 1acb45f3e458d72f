package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A latch that callers of any number of processes await until its count was counted down to zero, as {@link
 * java.util.concurrent.CountDownLatch} is one within a process. Obtained from {@link Holdfast#getCountDownLatch}.
 *
 * <p><b>A latch without a count is open</b>: one that was never set, was counted to zero, or is gone; a caller that comes then does
 * not wait. So each participant should call {@link #trySetCount} before it waits, with the same number: one of them sets it. A
 * latch at zero can be set again. Best use a name of its own for each run, such as {@code import:42}, and give it a lifetime.
 *
 * <p><b>A countdown counts once</b>, whatever replies were lost: the client sends it again until Redis has answered, and Redis
 * recognizes it. If a call ends with a {@link LockException}, it is not known whether it was counted. After a failover the client
 * repeats what it has counted down within the last 30 s, and Redis takes what it lacks.
 *
 * <p><b>An opening is not missed</b> by a caller that waits for it, even if a new count follows at once. If the count is deleted
 * or expires instead, the caller gets a {@link LatchGoneException}. A process that counts down may die before it does: only the
 * lifetime of the latch, or that of the wait, ends the wait then.
 *
 * <p><b>Memory effects:</b> what a thread did before it counted down through Redis is visible to another thread of the same
 * process that has awaited the opening. What it wrote elsewhere, such as in a database, is visible as that promises.
 *
 * <p><b>Limits.</b> Nobody owns a count: any client can count down, and nothing is given back when one dies. A count that was set
 * shortly before a failover can be lost, and is deleted for those that await it then, unless the client {@linkplain
 * HoldfastBuilder#replicated awaits replicas}. Redisson's {@code RCountDownLatch} of the name is the same latch: each library
 * opens it for the other's callers. A count that Redisson has set has no lifetime; if Redisson deletes a count, it counts as
 * opened; and a second count that Redisson sets at once after an opening may hide that.
 *
 * <pre>{@code
 * DistributedCountDownLatch imported = holdfast.getCountDownLatch("import:42");
 * imported.trySetCount(3, Duration.ofHours(1)); // in each of three processes: the first one sets it
 * report();
 * imported.countDown(); // when its part is done
 * imported.await(); // until all three are
 * }</pre>
 *
 * <p>All methods throw {@link LockException} if Redis fails, refuses the command, or does not answer: those that wait within
 * their wait or, without one, the {@linkplain HoldfastBuilder#failoverTimeout failover timeout}; changes within the failover
 * timeout; the others within a command timeout. All throw {@link IllegalStateException} if the client is closed, those that wait
 * from the beginning of a {@linkplain Holdfast#close(Duration) grace period} on; and those that block on the driver's I/O thread
 * and the client's timer thread. The futures complete on the {@linkplain HoldfastBuilder#callbackExecutor callback executor}.
 *
 * <p>A latch object is cheap, immutable and safe to share. Not meant to be implemented by users, except by mocks: methods may be
 * added.
 *
 * <p><b>Preview:</b> in 0.2 its methods may change without having been deprecated. Its guarantees are those of any other kind.
 */
public interface DistributedCountDownLatch {
    /** {@return the name of the latch} */
    String name();

    /**
     * Sets the count, if the latch has none. Without another use it lives for 24 h: each set, countdown and look of any client, and
     * each client that awaits it, renews that. An interrupt is ignored, and the flag stays set.
     *
     * @param count from 1 to 2<sup>53</sup> - 1
     * @return true if this call has set it; false if the latch has a count, which stays as it is
     * @throws IllegalArgumentException if the count is out of range
     * @throws LockException if Redis failed, or did not answer for the failover timeout: the count may be set
     */
    boolean trySetCount(long count);

    /**
     * {@link #trySetCount(long)} with a lifetime, from now on. Nothing renews it: if the count is not zero when it is over, the
     * latch has expired.
     *
     * @param lifetime from 1 ms to a century
     */
    boolean trySetCount(long count, Duration lifetime);

    /** {@link #trySetCount(long)}, without blocking. */
    CompletableFuture<Boolean> trySetCountAsync(long count);

    /** {@link #trySetCount(long, Duration)}, without blocking. */
    CompletableFuture<Boolean> trySetCountAsync(long count, Duration lifetime);

    /** {@link #countDown(long) Counts down} by one. */
    void countDown();

    /**
     * Counts down, and opens the latch if the count is zero then. Has no effect on a latch without a count. An interrupt is ignored,
     * and the flag stays set.
     *
     * @param by from 1 to 2<sup>53</sup> - 1; more than the count counts it to zero
     * @throws IllegalArgumentException if the number is out of range
     * @throws LockException if Redis failed, or did not answer for the failover timeout: it may have been counted
     */
    void countDown(long by);

    /** {@link #countDown()}, without blocking. */
    CompletableFuture<@Nullable Void> countDownAsync();

    /** {@link #countDown(long)}, without blocking. */
    CompletableFuture<@Nullable Void> countDownAsync(long by);

    /**
     * {@return the count at present; 0 if the latch has none} An interrupt is ignored, and the flag stays set.
     *
     * @throws LockException if Redis failed, or did not answer within a command timeout
     */
    long getCount();

    /** {@link #getCount()}, without blocking. */
    CompletableFuture<Long> getCountAsync();

    /**
     * Waits until the latch is open; not at all if it has no count.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     * @throws LatchGoneException if the count that is awaited was deleted, or has expired
     * @throws LockException if Redis failed or did not answer for the failover timeout, refuses the subscription, or the client
     *     was closed
     */
    void await() throws InterruptedException;

    /** {@link #await(Duration)} with the wait as a number and a unit; a negative one does not wait. */
    @CheckReturnValue
    boolean await(long wait, TimeUnit unit) throws InterruptedException;

    /**
     * {@link #await()}, for a time at most.
     *
     * @param wait zero only looks, in one round trip; negative throws; more than a century is treated as a century
     * @return true if the latch is open; false if Redis has reported a count, no longer than a command timeout before the end
     * @throws IllegalArgumentException if the wait is negative
     * @throws InterruptedException as {@link #await()} does
     * @throws LatchGoneException as {@link #await()} does
     * @throws LockException if Redis failed, or there is no recent answer at the end of the wait; or the client was closed
     */
    @CheckReturnValue
    boolean await(Duration wait) throws InterruptedException;

    /** {@link #await()}, without blocking. A caller that cancels or completes the future waits no longer. */
    CompletableFuture<@Nullable Void> awaitAsync();

    /** {@link #await(Duration)}, without blocking. A caller that cancels or completes the future waits no longer. */
    CompletableFuture<Boolean> awaitAsync(Duration wait);

    /**
     * Takes the count away. Callers that await it get a {@link LatchGoneException}; the latch then has no count. An interrupt is
     * ignored, and the flag stays set.
     *
     * @return whether there was a count
     * @throws LockException if Redis failed, or did not answer for the failover timeout: it may be deleted
     */
    boolean delete();

    /** {@link #delete()}, without blocking. */
    CompletableFuture<Boolean> deleteAsync();
}
