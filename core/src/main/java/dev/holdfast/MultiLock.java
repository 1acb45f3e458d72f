package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are acquired together: the caller has all of them, or none. They may be on one Redis or on
 * independent ones ({@link Holdfast#multiLock}). Each stays an ordinary lock to every other caller.
 *
 * <p><b>No deadlock.</b> Sets of locks may overlap and be named in any order. A call first attempts all its locks at
 * once. If one is busy, it releases those that come behind that one in an order that all clients have in common, waits for
 * that one in the queue of that lock, and then attempts those behind it in the same way. So callers of multi-locks never wait for each
 * other in a circle, and none is overtaken for ever. The order is that of the keys in Redis; if several servers have a
 * lock of the same key, it is that of their addresses (host, port and database) as configured: for that case, all
 * clients must be configured with the same ones. A caller that holds one of the locks by itself and then waits for a
 * multi-lock can cause a deadlock, as with any lock. A call that ends without the locks releases those it had acquired,
 * and does not wait for the replies: to others, they may be busy for one more round trip.
 *
 * <p><b>Ownership.</b> A multi-lock acquired by {@link #lock()} or a method of that family belongs to the calling thread,
 * which can enter it again and unlocks it, by this object or by another one of the same locks of the same clients: the
 * thread is another owner for another client. To enter again is local, unless a lease is given or the machine seems to
 * have been suspended: then Redis is asked. Its locks belong to the multi-lock and not to the thread:
 * {@link DistributedLock#isHeldByCurrentThread()} is false for them. So a thread must not acquire one of them by itself
 * while it holds them, which would wait for itself; a call for a multi-lock whose thread holds one of its locks already, by itself
 * or by a different multi-lock of the same client, throws {@link IllegalStateException}. One that was acquired by {@link
 * #acquire()} or a method of that family belongs to the {@link MultiLease} returned.
 *
 * <p><b>Leases and losses.</b> Each lock has a lease, watched or explicit, as in {@link DistributedLock}. If one is lost,
 * the whole is lost: {@link #isHeldByCurrentThread()} and {@link MultiLease#isValid()} are false, and the loss is reported
 * once, by {@link MultiLease#lost()} or the exception of the unlock; {@link LockListener} reports the lock that was lost.
 * The other locks are not released for it, whatever the reason, since the owner may still be working under them. They are
 * held and renewed as before until the owner unlocks or closes, its thread has ended, its handle was dropped,
 * {@link HoldfastBuilder#maxHold} has passed, or their client is closed. An explicit lease counts from the grant of the
 * last lock. It should be longer than the call may wait: if a lock that was acquired earlier runs out before, the call
 * fails.
 *
 * <p><b>Limits.</b> This is no majority lock: it needs all servers, and protects no better than each lock does.
 * {@code interruptOnLoss} does not concern it.
 *
 * <pre>{@code
 * MultiLock both = Holdfast.multiLock(holdfast.getLock("account:1"), holdfast.getLock("account:2"));
 * both.lock();
 * try {
 *     ship(order);
 * } finally {
 *     both.unlock();
 * }
 * }</pre>
 *
 * <p>A lock object is cheap, immutable and safe to share. Not meant to be implemented by users, except by mocks:
 * methods may be added.
 */
public interface MultiLock extends Lock {
    /** {@return the locks, in the order in which they were named} */
    List<DistributedLock> locks();

    /** {@return the names of the locks, in the order in which they were named} */
    List<String> names();

    /**
     * Acquires all locks for the calling thread, and waits for them without a limit. Watched. An interrupt does not end
     * the wait; the thread's interrupt flag is set again when the method returns.
     *
     * @throws LockException if a Redis failed, or did not answer or execute commands for the failover timeout; no lock is
     *     held, or no further level if this is a re-entry
     * @throws LeaseLostException if a lock that was acquired was lost while the call waited for another one, or if this
     *     is a re-entry of a multi-lock that is lost
     * @throws IllegalStateException if the thread holds one of the locks otherwise, a client is closed, or this is a
     *     driver's I/O thread or a client's timer thread
     */
    @Override
    void lock();

    /**
     * {@link #lock()} with an explicit lease. A re-entry extends what is held to it, and never shortens that.
     *
     * @param lease at least 1 ms
     */
    void lock(Duration lease);

    /**
     * {@link #lock()}, but an interrupt ends the wait, and no lock is then held, or no further level if this is a re-entry.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** {@link #lockInterruptibly()} with an explicit lease. */
    void lockInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires all locks for the calling thread if all are free, in one round trip. May overtake waiters. Watched.
     * Interrupts are ignored, and the flag stays set.
     *
     * @return true when all are held; false when Redis replied that one is busy: none is held then
     * @throws LockException if a Redis failed, or did not answer or execute commands within a command timeout,
     *     for all of them together
     * @throws LeaseLostException if this is a re-entry of a multi-lock that is lost
     */
    @Override
    @CheckReturnValue
    boolean tryLock();

    /** {@link #tryLock(Duration)} with the wait as a number and a unit; a negative one does not wait. */
    @Override
    @CheckReturnValue
    boolean tryLock(long wait, TimeUnit unit) throws InterruptedException;

    /**
     * Acquires all locks for the calling thread, and waits for them at most {@code wait} altogether. Watched. The result
     * is false if one of them is busy at the end, under the conditions of {@link DistributedLock#tryLock(Duration)}; no
     * lock is held then. A re-entry for which Redis has to be asked ends with the wait as well.
     *
     * @param wait zero means {@link #tryLock()}; negative throws; more than a century is treated as a century
     * @return true when all are held; false when one stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; no lock is then held, or no
     *     further level if this is a re-entry
     * @throws LockException if a Redis failed, or there is no recent reply at the end of the wait
     * @throws LeaseLostException as {@link #lock()} does
     */
    @CheckReturnValue
    boolean tryLock(Duration wait) throws InterruptedException;

    /** {@link #tryLock(Duration)} with an explicit lease. */
    @CheckReturnValue
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Leaves the multi-lock; with the level that the calling thread entered first, releases all locks. Waits for each
     * Redis to confirm it, at most for the failover timeout; an interrupt is ignored, and the flag stays set.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the multi-lock
     * @throws LeaseLostException if one of the locks was lost. The level counts as left; with the first level, the other
     *     locks are released
     * @throws ReleaseUnconfirmedException if all locks were held until then, and a Redis refused the release or did not
     *     answer; it {@linkplain LockException#names() names} each of these locks. The work is done, and the level counts
     *     as left: do not repeat either
     * @throws LockException if it is not known besides whether all were held until then; the level counts as left
     */
    @Override
    void unlock();

    /**
     * Not supported: its locks may be on several servers, of which none could record that a thread waits, and release all of them, in
     * one step. Use a {@linkplain DistributedLock#getCondition condition} of one lock.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();

    /**
     * Runs the body while the calling thread holds all locks: {@link #lock()} before it, and {@link #unlock()} after it. So
     * the body is a level of the thread, which may have entered this multi-lock already, and may enter it again. The locks
     * are always released. An exception of the body is rethrown, with that of a failed release as suppressed; a lost lease is
     * thrown when the body itself returned normally. If only the release is {@linkplain ReleaseUnconfirmedException
     * unconfirmed}, the method returns as usual: the body was protected to its end, and the clients retry the release.
     * {@code interruptOnLoss} does not concern it: a body that must not go on after a loss calls
     * {@link #isHeldByCurrentThread()}.
     *
     * @param body the code to run; it must leave as many levels of the multi-lock as it enters, and must not lock one of the
     *     locks by itself, which would wait for its own thread
     * @throws LeaseLostException if one of the locks was lost while the body ran, and it did not throw; or as for {@link #lock()},
     *     before the body ran
     * @throws LockException if a Redis failed, or did not answer, before the body ran; or if the body ended after the process
     *     seems to have been suspended, and Redis did not confirm that all locks were held until then
     * @throws IllegalStateException as {@link #lock()} does, before the body ran
     */
    void runLocked(Runnable body);

    /**
     * {@link #runLocked} for a body with a result.
     *
     * @return what the body returned
     * @throws Exception the exception of the body
     */
    <T> T callLocked(Callable<T> body) throws Exception;

    /** {@return whether the calling thread holds all locks by this multi-lock; local, no I/O, false once it is lost} */
    boolean isHeldByCurrentThread();

    /** {@return how often the calling thread has entered the multi-lock; local, no I/O, 0 once it is lost} */
    int getHoldCount();

    /**
     * Acquires all locks for a handle, and waits for them without a limit. Watched. <b>Uninterruptible:</b> an interrupt
     * does not end the wait, and the thread's interrupt flag is set again when the method returns.
     *
     * @return the handle that owns the locks
     * @throws LockException if a Redis failed, or did not answer for the failover timeout; no lock is held
     * @throws LeaseLostException if a lock that was acquired was lost while the call waited for another one
     */
    @CheckReturnValue
    MultiLease acquire();

    /** {@link #acquire()} with an explicit lease; uninterruptible as well. */
    @CheckReturnValue
    MultiLease acquire(Duration lease);

    /**
     * {@link #acquire()}, but an interrupt ends the wait, and no lock is then held. If the interrupt arrives when all locks
     * are granted already, the method returns the handle, and the flag stays set.
     *
     * @return the handle that owns the locks
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     * @throws LockException as {@link #acquire()} does
     * @throws LeaseLostException as {@link #acquire()} does
     */
    @CheckReturnValue
    MultiLease acquireInterruptibly() throws InterruptedException;

    /** {@link #acquireInterruptibly()} with an explicit lease. */
    @CheckReturnValue
    MultiLease acquireInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires all locks for a handle, and waits for them at most {@code wait} altogether, as {@link #tryLock(Duration)}
     * does. Watched.
     *
     * @return the handle that owns the locks, or empty when one of them stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; no lock is then held
     */
    @CheckReturnValue
    Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;

    /** {@link #tryAcquire(Duration)} with an explicit lease. */
    @CheckReturnValue
    Optional<MultiLease> tryAcquire(Duration wait, Duration lease) throws InterruptedException;

    /**
     * {@link #acquire()} without blocking.
     *
     * @return completes on the callback executor of the first client once all locks are held, or exceptionally with what
     *     {@code acquire} would throw. Cancelling it, or completing it in any other way, abandons the attempt: no lock is
     *     held
     */
    @CheckReturnValue
    CompletableFuture<MultiLease> acquireAsync();

    /** {@link #acquireAsync()} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<MultiLease> acquireAsync(Duration lease);

    /** {@link #tryAcquire(Duration)} without blocking; see {@link #acquireAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait);

    /** {@link #tryAcquireAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait, Duration lease);
}
