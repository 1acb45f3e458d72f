package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} for one owner that is not a thread: a request, an actor, a coroutine. Re-entrant for that
 * owner from any thread. Concurrent calls of one owner are executed one after the other, in the order they were made.
 *
 * <p>The owner is an id: one from {@link Holdfast#newOwnerId()}, or that of a thread, for which this object then acts.
 * A hold is renewed until it is released, {@linkplain HoldfastBuilder#maxHold maxHold} is over or the client is closed,
 * whatever happens to any thread, including a thread that this object acts for.
 *
 * <p>The futures complete on the client's callback executor. Cancelling one, or completing it in any other way,
 * abandons the attempt: it acquires nothing, and a level that it may have acquired before is released.
 */
public interface OwnedLock {
    /** {@return the lock's name} */
    String name();

    /** {@return the owner's id} */
    long ownerId();

    /** {@link DistributedLock#lockAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<@Nullable Void> lockAsync();

    /** {@link DistributedLock#lockAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<@Nullable Void> lockAsync(Duration lease);

    /** {@link DistributedLock#tryLockAsync()} for this owner. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync();

    /** {@link DistributedLock#tryLockAsync(Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync(Duration wait);

    /** {@link DistributedLock#tryLockAsync(Duration, Duration)} for this owner. */
    @CheckReturnValue
    CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease);

    /** {@link DistributedLock#unlockAsync()} for this owner. */
    CompletableFuture<@Nullable Void> unlockAsync();

    /** {@return whether this owner holds the lock; local, no I/O} */
    boolean isHeld();

    /** {@return how often this owner has entered the lock; local, no I/O, 0 once its lease has run out} */
    int getHoldCount();
}
