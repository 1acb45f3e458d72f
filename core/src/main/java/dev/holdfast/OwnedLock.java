package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} as one owner sees it who is no thread: a request, an actor, a coroutine. Re-entrant for that
 * owner from whatever thread it runs on. Concurrent calls of one owner are carried out one after the other, in the order
 * they were made.
 *
 * <p>The owner is an id: one from {@link Holdfast#newOwnerId()}, or a thread's, for which this then acts. What it holds is renewed until it is
 * released, {@linkplain HoldfastBuilder#maxHold maxHold} is over or the client is closed, whatever becomes of any thread, a thread
 * it acts for included.
 *
 * <p>The futures complete on the client's callback executor. To cancel one, or to complete it in any other way, gives the
 * attempt up: it acquires nothing, and what it may have acquired meanwhile is released.
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
