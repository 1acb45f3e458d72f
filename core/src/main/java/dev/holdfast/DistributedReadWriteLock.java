package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A read lock that many owners hold at the same time, and a write lock that excludes every other owner; both of one name.
 *
 * <p><b>Fairness.</b> Readers and writers have the lock in turn: when a writer releases it, all readers that wait have it at once;
 * when the last of these releases it, the first writer that waits has it. While a writer waits, a reader that arrives waits behind
 * it, and {@code readLock().tryLock()} is false. So a reader waits for one writer at most, and a writer for the readers that came
 * before it, and for the writers before it.
 *
 * <p><b>Re-entry.</b> Both locks are re-entrant. An owner that has the write lock may acquire the read lock, and keep it when it has
 * released the write lock: the other way round is refused, since it would wait for itself. A call for the write lock that may wait
 * fails with {@link IllegalStateException} if its owner has the read lock; {@code writeLock().tryLock()} is false. A {@link Lease} is
 * an owner of its own: a thread that waits for the one while it has another waits for itself. If it has two of the read lock, that
 * shows only when a writer waits; a thread that is blocked for a command timeout then is logged as a warning.
 *
 * <pre>{@code
 * prices.writeLock().lock();
 * try {
 *     update();
 *     prices.readLock().lock();
 * } finally {
 *     prices.writeLock().unlock();
 * }
 * try {
 *     publish();
 * } finally {
 *     prices.readLock().unlock();
 * }
 * }</pre>
 *
 * <p><b>Limits.</b> The owners of one client that read at the same time share one hold in Redis, as far as they came before a writer
 * did. Each has a lease of its own, which is renewed or runs out like that of any lock; if the client dies, writers wait for
 * the longest that one of them has requested since a writer had the lock. Leases of the read lock cannot be {@linkplain
 * Lease#closeAfter closed with a delay}. Redisson's {@code RReadWriteLock} of the name excludes both locks and is excluded by both;
 * its readers and Holdfast's have the lock in turn.
 *
 * <p><b>Preview:</b> in 0.2 its methods may change without having been deprecated. Its guarantees are those of any other kind.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {
    /** {@return the lock's name} */
    String name();

    /** {@return the lock for reading, which owners share} Cheap: nothing is looked up. */
    @Override
    DistributedLock readLock();

    /** {@return the lock for writing, which one owner has} Cheap: nothing is looked up. */
    @Override
    DistributedLock writeLock();

    /**
     * Has a lease of the write lock go on as one of the read lock, in one step: no writer has the lock in between. Readers that
     * wait have it from now on as well; writers wait on. The write lease counts as closed, whatever the outcome. Blocks until Redis
     * has replied; an interrupt does not end that.
     *
     * @param write a lease of {@link #writeLock()}, of this client
     * @return the read lease: renewed as the write lease was, or with what was left of its explicit lease
     * @throws LeaseLostException if the write lease was lost
     * @throws IllegalMonitorStateException if it was closed before
     * @throws LockException if Redis failed, or did not answer before the lease ended: neither lock is held any more
     * @throws IllegalArgumentException if it is no lease of that lock
     */
    @CheckReturnValue
    Lease downgrade(Lease write);

    /**
     * {@link #downgrade} without blocking. If the caller completes or cancels the future, the read lock is released once it is
     * held.
     */
    CompletableFuture<Lease> downgradeAsync(Lease write);

    /** {@link DistributedLock#inspect()} of both locks: its holders are one writer, or the clients that read. */
    LockInfo inspect();

    /** {@link #inspect()} without waiting. */
    CompletableFuture<LockInfo> inspectAsync();

    /** {@link DistributedLock#forceUnlock()} of both locks: whoever has either of them loses it. */
    boolean forceUnlock();

    /** {@link #forceUnlock()} without waiting. */
    CompletableFuture<Boolean> forceUnlockAsync();
}
