package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A {@link FencedLock} as one owner sees it who is no thread. */
public interface FencedOwnedLock extends OwnedLock {
    /** {@link FencedLock#lockAndGetFenceAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetFenceAsync();

    /** {@link FencedLock#lockAndGetFenceAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<Long> lockAndGetFenceAsync(Duration lease);

    /** {@link FencedLock#tryLockAndGetFenceAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetFenceAsync();

    /** {@link FencedLock#tryLockAndGetFenceAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait);

    /** {@link FencedLock#tryLockAndGetFenceAsync(Duration, Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait, Duration lease);

    /**
     * {@return the token of this owner's hold} Local, no I/O.
     *
     * @throws IllegalMonitorStateException if this owner does not hold the lock
     * @throws LeaseLostException if it did, and its lease has run out or was lost
     */
    long getFence();
}
