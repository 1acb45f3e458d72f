package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link DistributedLock} in which every hold has a <em>fencing token</em>: a number larger than that of any earlier
 * hold of this lock. The owner sends the token with each write, and the resource refuses a token smaller than one it
 * has seen. So an owner that was paused for longer than its lease, and does not know it yet, can no longer write.
 *
 * <p><b>Token of a hold.</b> A hold keeps its token from the first acquire to the last unlock: a re-entry has the same
 * token. A new hold has a new token, even if its owner is the same, and even after a handoff within one client. The
 * token comes with the reply of Redis that grants the lock, so every handoff to a waiter for the fenced lock takes a
 * round trip. 0 is not a token, and no token is negative.
 *
 * <p><b>What it does not guarantee.</b> The token by itself stops no write; the check beside the data does. A token is
 * the server's time in microseconds, or the last token plus one if that is larger. So tokens grow even across a loss of
 * the server's data, unless its clock is set back by more than the time that the data was missing.
 *
 * <p><b>One kind of lock for one name.</b> The plain lock and Redisson's lock of this name are the same lock: each
 * excludes the others. One owner uses it as one kind at a time: while a thread, an owner id or a handle holds or
 * acquires the plain lock, and until Redis has confirmed the release, every call of the same owner for the fenced lock
 * throws {@link IllegalStateException}, and vice versa. A hold that was lost counts until it is unlocked. Different
 * owners wait for each other.
 *
 * <p>Redisson's {@code RFencedLock} of the same name uses the same counter, whose key remains when the lock is free.
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
     * {@link #lock()}, with the token of the hold as the result.
     *
     * @return larger than that of any hold before; for a re-entry, the token that the hold already has
     */
    @CheckReturnValue
    long lockAndGetToken();

    /** {@link #lockAndGetToken()} with an explicit lease. */
    @CheckReturnValue
    long lockAndGetToken(Duration lease);

    /** {@link #tryLock()}, with the token of the hold as the result: empty when Redis replied that the lock is busy. */
    @CheckReturnValue
    OptionalLong tryLockAndGetToken();

    /** {@link #tryLock(Duration)}, with the token of the hold as the result: empty when the lock stayed busy. */
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

    /**
     * {@link #tryLockAndGetToken()} without blocking, for the calling thread; see {@link #lockAsync()} for the future.
     */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync();

    /**
     * {@link #tryLockAndGetToken(Duration)} without blocking, for the calling thread; see {@link #lockAsync()} for the
     * future.
     */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait);

    /** {@link #tryLockAndGetTokenAsync(Duration)} with an explicit lease. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait, Duration lease);

    @Override
    FencedOwnedLock ownedBy(long ownerId);
}
