package dev.holdfast.kotlin

import dev.holdfast.DistributedCountDownLatch
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.future.await

/**
 * Suspends until the latch is open; not at all if it has no count. [DistributedCountDownLatch.await] is the same for a thread, which
 * it blocks.
 *
 * A coroutine that is cancelled waits no longer, and nothing of its wait is left.
 *
 * @throws dev.holdfast.LatchGoneException if the count that is awaited was deleted, or has expired
 * @throws dev.holdfast.LockException if Redis failed or did not answer for the failover timeout, refuses the subscription, or the
 *   client was closed
 * @throws kotlin.coroutines.cancellation.CancellationException if the coroutine was cancelled
 */
public suspend fun DistributedCountDownLatch.awaitSuspending() {
    awaitAsync().await()
}

/**
 * [awaitSuspending], for a time at most.
 *
 * @param waitFor zero only looks, in one round trip; more than a century is treated as a century
 * @return true if the latch is open; false if it is not, by a reply no older than a command timeout
 * @throws IllegalArgumentException if the wait is negative
 * @throws dev.holdfast.LatchGoneException if the count that is awaited was deleted, or has expired
 * @throws dev.holdfast.LockException if Redis failed, or there is no recent reply at the end of the wait; or the client was closed
 * @throws kotlin.coroutines.cancellation.CancellationException if the coroutine was cancelled
 */
public suspend fun DistributedCountDownLatch.awaitSuspending(waitFor: Duration): Boolean =
    awaitAsync(waitFor.toJavaDuration()).await()
