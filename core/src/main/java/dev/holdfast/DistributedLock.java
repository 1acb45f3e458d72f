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
 * A re-entrant mutual exclusion lock that works across machines. It is stored in Redis, under its name; every client
 * that uses the same name on the same Redis competes for the same lock. Redisson's {@code RLock} of that name is the
 * same lock too.
 *
 * <p><b>Ownership.</b> A lock acquired by {@link #lock()} or by another blocking or async method of that family belongs
 * to the calling thread. One acquired through {@link #ownedBy} belongs to the owner with that id, which need not be a
 * thread. One acquired by {@link #acquire()} or a method of that family belongs to the {@link Lease} returned. A thread
 * never re-enters a hold that belongs to a {@code Lease} or to an id from {@link Holdfast#newOwnerId()}.
 *
 * <p><b>Lease.</b> Redis keeps a hold for its <em>lease</em>. A hold acquired without an explicit lease is
 * <em>watched</em>: its lease is the client's watchdog timeout, and it is renewed every third of that, for as long as
 * the owner holds it. If all levels of the hold were entered by blocking calls of a thread, renewal ends with the
 * thread's death. A hold of an async call or an owner id is renewed until it is released,
 * {@linkplain HoldfastBuilder#maxHold maxHold} is over or the client is closed, whatever happens to the thread that
 * made the call. A hold with an explicit lease runs out when that lease has passed. A re-entry never shortens a lease;
 * a hold is watched while any of its levels was acquired without an explicit lease. When the last such level is
 * unlocked, renewal ends, and the hold runs out with the rest of its lease.
 *
 * <p><b>What it does not guarantee.</b> A lease can be lost while its owner works: the process was paused for longer
 * than the lease, Redis lost its data or failed over to a replica that lagged, or clocks diverged by more than the
 * drift allowance. The loss is reported by {@link Lease#lost()}, by each {@link LockListener}, and by a
 * {@link LeaseLostException} from the owner's unlock; the local query methods return "not held" from that moment. Data
 * that must never be written twice needs a {@link FencedLock}, and a check of the token beside the data.
 *
 * <p><b>Memory effects.</b> Within one process they are those of any {@link Lock}: actions before an unlock
 * happen-before actions after a later lock by the same client. Across processes, visibility is up to the shared data
 * itself.
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
 * {@link LeaseLostException} when the caller held the lock and lost it, {@link IllegalMonitorStateException} when it
 * never held it, {@link IllegalStateException} when the client is closed (while its close waits for owners, only if the
 * caller does not hold the lock already) or a blocking method is called on the driver's I/O thread or the client's timer thread,
 * {@link IllegalArgumentException} for a lease under 1 ms or over a century, or a negative wait.
 *
 * <p><b>Fairness.</b> Waiters of one client are served in the order in which they began to wait. Clients that wait stand in
 * line, and a release grants the lock to the first of them; a client that has further waiters itself serves those for some
 * 15 ms before. Clients of other libraries, and those without the rights for the line, compete for the lock when each client
 * in line has had its turn. {@link #tryLock()} may overtake waiters.
 *
 * <p>A lock object is cheap, immutable and safe to share. It refers to no connection and stores no state of any hold.
 * Not meant to be implemented by users, except by mocks: methods may be added.
 */
public interface DistributedLock extends Lock {
    /** {@return the name with which this lock was requested} */
    String name();

    /**
     * Acquires the lock for the calling thread, and waits for it without a limit. Watched. An interrupt does not end
     * the wait; the thread's interrupt flag is set again when the method returns.
     *
     * @throws LockException if Redis failed, or did not answer or execute commands for the {@linkplain
     *     HoldfastBuilder#failoverTimeout failover timeout}; the lock is not held
     * @throws LeaseLostException if this is a re-entry, and Redis replied that the hold to be re-entered is gone
     */
    @Override
    void lock();

    /**
     * {@link #lock()} with an explicit lease.
     *
     * @param lease at least 1 ms; counted from now, not from the grant of an earlier level
     */
    void lock(Duration lease);

    /**
     * {@link #lock()}, but an interrupt ends the wait, and the lock is then not acquired.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** {@link #lockInterruptibly()} with an explicit lease. */
    void lockInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires the lock for the calling thread if it is free or the thread holds it already, in one round trip. Never
     * waits for an owner to release it, and may overtake waiters. Watched. Interrupts are ignored, and the flag stays
     * set.
     *
     * <p>Nor does it wait for a failover: it ends within a command timeout, for the connection, the execution and the reply
     * together, a re-entry too; and at once while the lock's server has had no connection for so long. A reply that is
     * outstanding at the end is awaited for up to 100 ms more.
     *
     * @return true when the lock is held; false when Redis replied that it is busy
     * @throws LockException if Redis failed, or did not answer or execute commands in that time
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
     * <p>At the end of the wait the result is false if Redis replied no longer ago than the command timeout that the
     * lock is busy. Otherwise its state is unknown, and the method throws. A reply that is outstanding at that moment
     * is awaited for up to 100 ms more.
     *
     * @param wait zero means {@link #tryLock()}; negative throws; more than a century is treated as a century
     * @return true when the lock is held; false when it stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; the lock is then not
     *     acquired
     * @throws LockException if Redis failed, or there is no recent reply at the end of the wait
     */
    @CheckReturnValue
    boolean tryLock(Duration wait) throws InterruptedException;

    /** {@link #tryLock(Duration)} with an explicit lease. */
    @CheckReturnValue
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Releases the level that the calling thread entered last; the release of its only remaining level releases the
     * lock. Waits for Redis to confirm it, at most for the {@linkplain HoldfastBuilder#failoverTimeout failover timeout}; an
     * interrupt is ignored, and the flag stays set.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     * @throws LeaseLostException if the level being released had been lost. It counts as released now: each unlock
     *     pairs with one lock call, lost or not
     * @throws ReleaseUnconfirmedException if the lock counted as held until then, and Redis refused the release or did not
     *     answer. The work is done, and the level counts as released: do not repeat either. With its last level, the lock
     *     is no longer renewed; the client retries the release, and the key expires with its lease at the latest
     * @throws LockException if it is not known besides whether the lock was held until then: the process seems to have
     *     been suspended, or another program has overwritten the key
     */
    @Override
    void unlock();

    /**
     * {@return the condition of this lock that has no name} Each call returns the same one, in every process, since an object of this
     * process means nothing to another one. Its {@code signal()} wakes all that wait for it, as its {@code signalAll()} does, so that
     * code that creates two of them stays correct, but is slower. {@link #getCondition} has one for each purpose, and the contract of
     * both.
     *
     * @throws UnsupportedOperationException if this is the read lock of a read-write lock, as that of the JDK has none: what is waited
     *     for is changed, and signalled, under the write lock, which a thread that waits for it acquires as well
     */
    @Override
    Condition newCondition();

    /**
     * {@return the condition of this lock with that name} Cheap: two calls with the same name return the same condition, in every
     * process. Its waiters may be in any process: a holder's {@code signal()} wakes the one that has waited for longest, {@code
     * signalAll()} all of them.
     *
     * <p>The contract is that of {@link Condition}. A thread that waits or signals must hold the lock itself, by {@link #lock()} or a
     * method of that family: one that does so by a {@link Lease} or an owner id gets an {@link IllegalMonitorStateException}. While it
     * waits it holds no level; when the method returns it has as many as before, and a {@link FencedLock} has another token. An
     * explicit lease counts anew, from the longest of its levels. Signals are sent with the release of the lock: before that, nobody
     * could use what they announce.
     *
     * <p><b>Wake-ups without a signal</b> happen, so a caller waits in a loop. Whatever could have lost a signal wakes all that may
     * have been meant: a process that died, a connection or data that was lost, a failover. A caller that waits for longer
     * also wakes after 75 seconds at the latest: the holder may have died between its change and its signal.
     *
     * <p>If the thread cannot have the lock again, since Redis does not answer for the {@linkplain HoldfastBuilder#failoverTimeout
     * failover timeout} or the client was closed, the method throws a {@link LockException}, and the hold is lost: each {@code unlock()}
     * throws {@link LeaseLostException}. It throws one itself if the hold was lost before the wait.
     *
     * <p><b>Preview</b>, with {@link #newCondition()}: in 0.2 this method may change without having been deprecated.
     *
     * @param name any text that is not blank. Redis stores the waiters of all conditions of this lock under the key {@code
     *     holdfast_condition:{name of the lock}}, while there are any, and for some time after
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     * @throws UnsupportedOperationException as {@link #newCondition()} does
     */
    Condition getCondition(String name);

    /**
     * {@link #lock()} without blocking. The owner is the thread that calls this method; any thread may release the lock
     * by that thread's id. The hold does not end with that thread: it is renewed until it is released,
     * {@linkplain HoldfastBuilder#maxHold maxHold} is over or the client is closed.
     *
     * @return completes on the client's callback executor once the lock is held, or exceptionally with what
     *     {@code lock} would throw. Cancelling it, or completing it in any other way, abandons the attempt: it acquires
     *     nothing
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
     * @return completes when Redis has confirmed, or exceptionally with what {@code unlock} would throw. Cancelling it
     *     does not undo the release
     */
    CompletableFuture<@Nullable Void> unlockAsync();

    /**
     * {@return this lock for an owner that is not a thread} Two owners must not share an id. A number of the
     * application, such as an order number, may equal the id of a thread, and then denotes that thread as the owner.
     *
     * @param ownerId an id that {@link Holdfast#newOwnerId()} of the same client has returned, which no thread has; or
     *     a thread's id, which is positive, to act for that thread. (Before JDK 19 a subclass of {@code Thread} can
     *     override {@code getId()}, so that two threads could have the same id; such a thread owns its locks by a
     *     private id instead)
     * @throws IllegalArgumentException if the id is neither: 0, or a negative id that may belong to a handle or was not
     *     returned yet
     */
    OwnedLock ownedBy(long ownerId);

    /**
     * Acquires the lock for a handle, and waits for it without a limit. Watched. <b>Uninterruptible:</b> an interrupt
     * does not end the wait, and the thread's interrupt flag is set again when the method returns.
     *
     * @return the handle that owns the lock
     * @throws LockException if Redis failed, or did not answer or execute commands for the {@linkplain
     *     HoldfastBuilder#failoverTimeout failover timeout}
     */
    @CheckReturnValue
    Lease acquire();

    /** {@link #acquire()} with an explicit lease; uninterruptible as well. */
    @CheckReturnValue
    Lease acquire(Duration lease);

    /**
     * {@link #acquire()}, but an interrupt ends the wait, and the lock is then not acquired. If the interrupt arrives when
     * the lock is granted already, the method returns the handle, and the flag stays set.
     *
     * @return the handle that owns the lock
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     * @throws LockException as {@link #acquire()} does
     */
    @CheckReturnValue
    Lease acquireInterruptibly() throws InterruptedException;

    /** {@link #acquireInterruptibly()} with an explicit lease. */
    @CheckReturnValue
    Lease acquireInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Acquires the lock for a handle, and waits for it at most {@code wait}, as {@link #tryLock(Duration)} does.
     * Watched.
     *
     * @return the handle that owns the lock, or empty when it stayed busy
     * @throws InterruptedException if the thread was interrupted before or while it waited; the lock is then not
     *     acquired
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
     * Runs the body while the calling thread holds the lock: {@link #lock()} before it, and {@link #unlock()} after it. So
     * the body is a level of the thread, which may hold the lock already, and may lock it again. Unlike a {@link Lease}, it
     * is covered by {@linkplain HoldfastBuilder#interruptOnLoss interruptOnLoss}. The lock is always released. An exception of
     * the body is rethrown, with that of a failed release as suppressed; a lost lease is thrown when the body itself returned
     * normally. If only the release is {@linkplain ReleaseUnconfirmedException unconfirmed}, the method returns as usual: the
     * body was protected to its end, and the client retries the release.
     *
     * @param body the code to run; it must leave as many levels of the lock as it enters
     * @throws LeaseLostException if the lock was lost while the body ran, and it did not throw; or if the thread holds the
     *     lock already, and Redis replied that it has lost it
     * @throws LockException if Redis failed, or did not answer, before the body ran; or if the body ended after the process
     *     seems to have been suspended, and Redis did not confirm that the lock was held until then
     */
    void runLocked(Runnable body);

    /**
     * {@link #runLocked} for a body with a result.
     *
     * @return what the body returned
     * @throws Exception the exception of the body
     */
    <T> T callLocked(Callable<T> body) throws Exception;

    /** {@return whether the calling thread holds the lock; local, no I/O, false once its lease has run out} */
    boolean isHeldByCurrentThread();

    /**
     * {@return whether the owner of this client with that id holds the lock; local, no I/O, false once its lease has
     * run out}
     *
     * @param ownerId a thread's id, or one from {@link Holdfast#newOwnerId()}; false for any other
     */
    boolean isHeldBy(long ownerId);

    /** {@return how often the calling thread has entered the lock; local, no I/O, 0 once its lease has run out} */
    int getHoldCount();

    /**
     * {@return whether any owner holds the lock; queries Redis} A query whose connection ends before its reply is sent again
     * over the next one, or to the master that has the lock then. It ends within a command timeout, as {@link #tryLock()}
     * does.
     *
     * @throws LockException if Redis failed, or did not answer in that time
     */
    boolean isLocked();

    /**
     * {@return how long Redis keeps the lock without renewal; empty when the lock is free; queries Redis} The query is sent
     * again as that of {@link #isLocked()}.
     *
     * @throws LockException if Redis failed, or did not answer within a command timeout
     */
    Optional<Duration> remainingLease();

    /**
     * {@return the owner of the lock, its hold count, since when and for how long it holds it, and how many clients are
     * subscribed to its release; queries Redis} A value that this client has no right to query is empty, and so is one
     * that another library does not store; the number of subscribers also if the reply was late. The query is sent again
     * as that of {@link #isLocked()}.
     *
     * @throws WrongKindException if the name is in use for a lock of another kind
     * @throws LockException if Redis failed, or did not answer within a command timeout, or if the key is no lock
     */
    LockInfo inspect();

    /**
     * Removes the lock whatever owner holds it, and notifies the waiters. The owner detects it with its next renewal
     * or release: until then it runs concurrently with the next owner. For operators, not for programs.
     *
     * @return whether an owner held it
     * @throws WrongKindException if the name is in use for a lock of another kind: that is not removed
     * @throws LockException if Redis failed, or did not answer within a command timeout: the lock may have been removed or
     *     not
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
