package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link DistributedLock} whose every hold has a <em>fencing token</em>: a number larger than that of any hold of this lock
 * before it. A holder passes it along with what it writes, and what is written to refuses a token smaller than one it has
 * seen. So a holder that was paused for longer than its lease, and does not know it yet, writes nothing any more.
 *
 * <p><b>Who has which token.</b> A hold keeps its token from the first acquire to the last unlock: a re-entry has the same. A
 * new hold has a new one, even of the same owner, and even when the lock is passed on within one client. It comes with the
 * answer of Redis that grants the lock, so to hand a fenced lock on takes a round trip each time. 0 is no token, and no token
 * is negative.
 *
 * <p><b>What it does not guarantee.</b> The token by itself stops nobody; the check beside the data does. Tokens are the
 * server's time in microseconds, or one more than the last if that is larger. So they grow even over a loss of the server's
 * data, unless its clock goes back by more than the data was away.
 *
 * <p><b>One kind of lock for one name.</b> The lock of this name is the plain one's too, and Redisson's: each excludes the
 * others. One owner takes it as one kind at a time: while a thread, an owner id or a handle holds or acquires the lock as the
 * plain one, and until Redis has confirmed the release, every call of the same owner for the fenced one throws {@link
 * IllegalStateException}, and the other way round. A hold that was lost counts until it is unlocked. Different owners wait for
 * each other.
 *
 * <p>Redisson's {@code RFencedLock} of the same name draws from the same counter, whose key stays when the lock is free.
 *
 * <pre>{@code
 * FencedLock lock = holdfast.getFencedLock("orders:42");
 * long token = lock.lockAndGetToken();
 * try {
 *     ship(order, token);
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 */
public interface FencedLock extends DistributedLock {
    /**
     * {@link #lock()}, and gives the token of the hold.
     *
     * @return larger than that of any hold before; of a re-entry the same as before
     */
    @CheckReturnValue
    long lockAndGetToken();

    /** {@link #lockAndGetToken()} with an explicit lease. */
    @CheckReturnValue
    long lockAndGetToken(Duration lease);

    /** {@link #tryLock()}, and gives the token of the hold: empty when Redis said that the lock is busy. */
    @CheckReturnValue
    OptionalLong tryLockAndGetToken();

    /** {@link #tryLock(Duration)}, and gives the token of the hold: empty when the lock stayed busy. */
    @CheckReturnValue
    OptionalLong tryLockAndGetToken(Duration wait) throws InterruptedException;

    /** {@link #tryLockAndGetToken(Duration)} with an explicit lease. */
    @CheckReturnValue
    OptionalLong tryLockAndGetToken(Duration wait, Duration lease) throws InterruptedException;

    /**
     * {@return the token of the calling thread's hold} Local, no I/O.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     * @throws LeaseLostException if it did, and its lease has run out or was lost
     */
    long getToken();

    /** {@link #lockAndGetToken()} without blocking, for the calling thread; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetTokenAsync();

    /** {@link #lockAndGetTokenAsync()} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetTokenAsync(Duration lease);

    /** {@link #tryLockAndGetToken()} without blocking, for the calling thread; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync();

    /** {@link #tryLockAndGetToken(Duration)} without blocking, for the calling thread; see {@link #lockAsync()} for the future. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait);

    /** {@link #tryLockAndGetTokenAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait, Duration lease);

    @Override
    FencedOwnedLock ownedBy(long ownerId);
}
