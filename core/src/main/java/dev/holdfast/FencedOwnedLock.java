package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A {@link FencedLock} for one owner that is not a thread. */
public interface FencedOwnedLock extends OwnedLock {
    /** {@link FencedLock#lockAndGetTokenAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetTokenAsync();

    /** {@link FencedLock#lockAndGetTokenAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetTokenAsync(Duration lease);

    /** {@link FencedLock#tryLockAndGetTokenAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync();

    /** {@link FencedLock#tryLockAndGetTokenAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait);

    /** {@link FencedLock#tryLockAndGetTokenAsync(Duration, Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait, Duration lease);

    /**
     * {@return the token of this owner's hold} Local, no I/O.
     *
     * @throws IllegalMonitorStateException if this owner does not hold the lock
     * @throws LeaseLostException if it did, and its lease has run out or was lost
     */
    long getToken();
}
