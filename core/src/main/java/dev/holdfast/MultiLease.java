package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The held locks of a {@link MultiLock} as one {@link Lease}. One lost lock is a lost lease: {@link #isValid()} is false,
 * and {@link #lost()} and {@link #close()} report the first loss. The other locks are not released for it, since the work
 * under the lease may still be going on: they are held, and renewed if they are watched, until {@link #close()}. So close
 * a lost lease as well, when that work has stopped.
 *
 * <p>What a {@link Lease} does with its lock, this does with each of them: {@link #remaining()} is the shortest,
 * {@link #extend} and {@link #closeAfter} concern all, {@link #onAtRisk} runs once when locks are at risk, and again only if the first
 * of them has been safe in between. If several
 * of them fail, the first failure is thrown, with the others as suppressed.
 */
public interface MultiLease extends Lease {
    /** {@return the names of the locks, in the order in which they were named, separated by commas} */
    @Override
    String name();

    /** {@return the names of the locks, in the order in which they were named} */
    List<String> names();

    /**
     * Not supported: each fenced lock has a token of its own.
     *
     * @throws UnsupportedOperationException always; use {@link #token(DistributedLock)}
     */
    @Override
    long token();

    /**
     * {@return the fencing token of the hold of one of the locks} Local, no I/O; also when the lease was lost or closed.
     *
     * @param lock one of the locks
     * @throws IllegalArgumentException if it is not one of them
     * @throws UnsupportedOperationException if it is not a {@link FencedLock}
     */
    long token(DistributedLock lock);

    /**
     * {@link Lease#extend} for each lock.
     *
     * @throws LeaseLostException if one of the locks had been lost, or Redis replied that it is
     * @throws LockException if a Redis failed or did not answer: each lease is as long as it was, or longer
     * @throws IllegalMonitorStateException if the lease was closed
     */
    @Override
    void extend(Duration lease);

    /**
     * {@link Lease#close} for each lock: releases all, and waits until each Redis has confirmed it, at most for the
     * failover timeout.
     *
     * @throws LeaseLostException if one of the locks was lost before; the others are released by this call
     * @throws ReleaseUnconfirmedException if all locks were held until then, and a Redis refused the release or did not
     *     answer; it {@linkplain LockException#names() names} each of these locks, which all count as released
     * @throws LockException if it is not known besides whether all were held until then
     */
    @Override
    void close();

    /** {@link #close()} without waiting. */
    @Override
    CompletableFuture<@Nullable Void> releaseAsync();
}
