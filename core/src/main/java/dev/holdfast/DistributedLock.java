package dev.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A re-entrant mutual exclusion lock that works across machines. It is kept in Redis, under its name; every client that
 * uses the same name on the same Redis competes for the same lock. Redisson's {@code RLock} of that name is the same lock
 * too.
 *
 * <p><b>Who owns it.</b> {@link #lock()} and its blocking and async relatives: the calling thread. {@link #ownedBy}: the
 * owner of an id from {@link Holdfast#newOwnerId()}, which need not be a thread. {@link #acquire()} and its relatives: the {@link Lease} they return. An owner that is not the
 * calling thread is never re-entered by it.
 *
 * <p><b>How long.</b> Redis keeps a hold for its <em>lease</em>. A hold taken without an explicit lease is <em>watched</em>:
 * its lease is the client's watchdog timeout, and it is renewed every third of that, for as long as the owner holds it. If all
 * of it was entered by blocking calls of a thread, that ends with the thread's death; a hold of an async call or an owner id is renewed until
 * it is released, {@linkplain HoldfastBuilder#maxHold maxHold} is over or the client is closed, whatever becomes of the thread that made the
 * call. A hold with an explicit lease runs out when that has passed. A re-entry never shortens a lease; a hold is watched
 * while any of its levels was taken without explicit lease. When the last such level is unlocked, what is left of the
 * lease runs on, and then out.
 *
 * <p><b>What it does not guarantee.</b> A lease can be lost while its holder works: the process was paused for longer, Redis
 * lost its data or failed over to a replica that lagged, clocks ran apart by more than the drift allowance. The holder is
 * told by {@link Lease#lost()}, by each {@link LockListener}, and by a {@link LeaseLostException} from its unlock; the looking
 * methods answer "not held" from that moment. What must never be written twice needs a {@link FencedLock}, and a check beside the data.
 *
 * <p><b>Memory effects.</b> As of any {@link Lock} within one process: what happened before an unlock happened before a
 * later lock of the same client. Across processes it is the shared data's own business.
 *
 * <pre>{@code
 * DistributedLock lock = holdfast.getLock("orders:42");
 * lock.lock();
 * try {
 *     ship(order);
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * <p><b>Failures</b> are exceptions, never {@code false}: {@link LockException} when Redis failed or did not answer,
 * {@link LeaseLostException} when the caller held the lock and lost it, {@link IllegalMonitorStateException} when it never
 * held it, {@link IllegalStateException} when the client is closed (while its close waits for holders, only if the lock is
 * not held already) or a blocking method is called on the driver's own I/O
 * thread, {@link IllegalArgumentException} for a lease under 1 ms or over a century, or a negative wait.
 *
 * <p><b>Fairness.</b> Waiters of one client are served in the order in which they began to wait; between clients whoever tries
 * first after a release wins. {@link #tryLock()} may overtake waiters.
 *
 * <p>A lock object is cheap, immutable and safe to share. It holds no connection and no state of any hold. Not meant to be
 * implemented by users, except by mocks: methods may be added.
 */
public interface DistributedLock extends Lock {
    /** {@return the name this lock was asked for by} */
    String name();

    /**
     * Acquires the lock for the calling thread, and waits for it as long as it takes. Watched. An interrupt does not end
     * the wait; the thread's interrupt flag is set again when it returns.
     *
     * @throws LockException if Redis failed, or did not answer or execute commands for the command timeout; the lock is not held
     * @throws LeaseLostException if this is a re-entry, and Redis says that the hold to be re-entered is gone
     */
    @Override
    void lock();

    /**
     * {@link #lock()} with an explicit lease.
     *
     * @param lease at least 1 ms; runs from now on, not from the grant of an earlier level
     */
    void lock(Duration lease);

    /**
     * {@link #lock()}, but an interrupt ends the wait, and no lock is left behind.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** {@link #lockInterruptibly()} with an explicit lease. */
    void lockInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires the lock for the calling thread if it is free or already its own, in one round trip; never waits for a
     * holder, and may overtake those who wait. Watched. Interrupts are ignored, and the flag is kept.
     *
     * @return true when the lock is held; false when Redis said that it is busy
     * @throws LockException if Redis failed, or did not answer or execute commands for the command timeout
     */
    @Override
    @CheckReturnValue
    boolean tryLock();

    /** {@link #tryLock(Duration)} with the wait as a number and a unit. */
    @Override
    @CheckReturnValue
    boolean tryLock(long wait, TimeUnit unit) throws InterruptedException;

    /**
     * Acquires the lock for the calling thread, and waits for it at most {@code wait}. Watched.
     *
     * <p>At the end of the wait the answer is false if Redis said so no longer ago than the command timeout. Otherwise
     * nothing is known, and it throws. An answer that is on its way at that moment is awaited for up to 100 ms more.
     *
     * @param wait zero means {@link #tryLock()}; negative is refused; more than a century is a century
     * @return true when the lock is held; false when it stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; no lock is left behind
     * @throws LockException if Redis failed, or there is no recent answer at the end of the wait
     */
    @CheckReturnValue
    boolean tryLock(Duration wait) throws InterruptedException;

    /** {@link #tryLock(Duration)} with an explicit lease. */
    @CheckReturnValue
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Gives back the calling thread's last level, and with the last one the lock. Waits for Redis to confirm it, at most for
     * the command timeout; an interrupt is ignored, and the flag is kept.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     * @throws LeaseLostException if the level that is given back had been lost. It is given back now: each unlock belongs to
     *     one lock, lost or not
     * @throws LockException if Redis failed or did not answer. The level counts as given back all the same, so do not
     *     repeat the call: the lock is renewed no more, the client goes on trying to release it, and its lease runs out at
     *     the latest
     */
    @Override
    void unlock();

    /**
     * Not supported for now.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();

    /**
     * {@link #lock()} without blocking; the owner is the thread that calls this method, whichever thread unlocks by its id. The
     * hold does not end with that thread: it is renewed until it is released, {@linkplain HoldfastBuilder#maxHold maxHold} is
     * over or the client is closed.
     *
     * @return completes on the client's callback executor once the lock is held, exceptionally with what {@code lock} would
     *     throw. To cancel it, or to complete it in any other way, gives the attempt up: it acquires nothing
     */
    @CheckReturnValue
    CompletableFuture<@Nullable Void> lockAsync();

    /** {@link #lockAsync()} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<@Nullable Void> lockAsync(Duration lease);

    /** {@link #tryLock()} without blocking, for the calling thread; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync();

    /** {@link #tryLock(Duration)} without blocking, for the calling thread; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync(Duration wait);

    /** {@link #tryLockAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease);

    /**
     * {@link #unlock()} without blocking, for the calling thread.
     *
     * @return completes when Redis has confirmed, exceptionally with what {@code unlock} would throw. To cancel it does not
     *     take the release back
     */
    CompletableFuture<@Nullable Void> unlockAsync();

    /**
     * {@return this lock for an owner that is no thread} Two owners must not have one id: a number of your own, an order's for
     * one, may be the id of a thread, which is then the same owner.
     *
     * @param ownerId an id that {@link Holdfast#newOwnerId()} of the same client has returned, which no thread has; or a thread's id,
     *     a positive one, to act for that thread. (Before JDK 19 a class of threads can override {@code getId()}, by which two of them
     *     could pass for one; such a thread owns by an id that nobody else knows)
     * @throws IllegalArgumentException if the id is neither: 0, or a negative one that may be a handle's or was not returned yet
     */
    OwnedLock ownedBy(long ownerId);

    /**
     * Acquires the lock for a handle, and waits for it as long as it takes. Watched. An interrupt does not end the wait; the
     * flag is set again.
     *
     * @return the handle that owns the lock
     * @throws LockException if Redis failed, or did not answer for the command timeout
     */
    @CheckReturnValue
    Lease acquire();

    /** {@link #acquire()} with an explicit lease. */
    @CheckReturnValue
    Lease acquire(Duration lease);

    /**
     * Acquires the lock for a handle, and waits for it at most {@code wait}, as {@link #tryLock(Duration)} does. Watched.
     *
     * @return the handle that owns the lock, or empty when it stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; no lock is left behind
     */
    @CheckReturnValue
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /** {@link #tryAcquire(Duration)} with an explicit lease. */
    @CheckReturnValue
    Optional<Lease> tryAcquire(Duration wait, Duration lease) throws InterruptedException;

    /** {@link #acquire()} without blocking; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Lease> acquireAsync();

    /** {@link #acquireAsync()} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Lease> acquireAsync(Duration lease);

    /** {@link #tryAcquire(Duration)} without blocking; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /** {@link #tryAcquireAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, Duration lease);

    /**
     * Runs the body under a {@link Lease} of its own, which is given back whatever happens. What the body throws is thrown
     * on, with a failed release as suppressed; a lost lease is thrown when the body itself ended well.
     *
     * @param body what to do; it is not a re-entry, and must not acquire this lock again
     * @throws LeaseLostException if the lease was lost while the body ran, and it did not throw
     * @throws LockException if Redis failed, or did not answer
     */
    void runLocked(Runnable body);

    /**
     * {@link #runLocked} for a body with a result.
     *
     * @return what the body returned
     * @throws Exception what the body threw
     */
    <T> T callLocked(Callable<T> body) throws Exception;

    /** {@return whether the calling thread holds the lock; local, no I/O, false once its lease has run out} */
    boolean isHeldByCurrentThread();

    /**
     * {@return whether that owner of this client holds the lock; local, no I/O, false once its lease has run out}
     *
     * @param ownerId a thread's id, or one from {@link Holdfast#newOwnerId()}; false for any other
     */
    boolean isHeldBy(long ownerId);

    /** {@return how often the calling thread has entered the lock; local, no I/O, 0 once its lease has run out} */
    int getHoldCount();

    /**
     * {@return whether anybody holds the lock; asks Redis}
     *
     * @throws LockException if Redis failed or did not answer
     */
    boolean isLocked();

    /**
     * {@return how long Redis keeps the lock without renewal; empty when nobody holds it; asks Redis}
     *
     * @throws LockException if Redis failed or did not answer
     */
    Optional<Duration> remainingLease();

    /**
     * {@return who holds the lock, how often, since when and for how long, and how many listen for its release; asks Redis}
     * What Redis does not let this client ask is empty, and so is what other libraries do not write down.
     *
     * @throws LockException if Redis failed or did not answer, or if the key is no lock
     */
    LockInfo inspect();

    /**
     * Takes the lock away from whoever holds it, and wakes those who wait. The holder finds out by its next renewal or
     * release: until then it works beside the next one. For operators, not for programs.
     *
     * @return whether anybody held it
     * @throws LockException if Redis failed or did not answer: the lock may be gone or not
     */
    boolean forceUnlock();

    /** {@link #isLocked()} without blocking. */
    CompletableFuture<Boolean> isLockedAsync();

    /** {@link #remainingLease()} without blocking. */
    CompletableFuture<Optional<Duration>> remainingLeaseAsync();

    /** {@link #inspect()} without blocking. */
    CompletableFuture<LockInfo> inspectAsync();

    /** {@link #forceUnlock()} without blocking. */
    CompletableFuture<Boolean> forceUnlockAsync();
}
