@file:OptIn(ExperimentalContracts::class)

package dev.holdfast.kotlin

import dev.holdfast.DistributedLock
import dev.holdfast.Lease
import dev.holdfast.MultiLease
import dev.holdfast.MultiLock
import dev.holdfast.SegmentLease
import dev.holdfast.SegmentedLock
import dev.holdfast.internal.kotlin.holding
import dev.holdfast.internal.kotlin.holdingOrNull
import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CoroutineScope

/**
 * Suspends until the lock is granted, runs the action under it, and releases it. For locks of every kind: plain, fenced, fair, and
 * either side of a read-write lock.
 *
 * **Owner.** The [Lease] owns the lock, and not a thread: the action may suspend, and resume on any thread. Coroutines that it
 * launches in its scope work under the lock as well, which is released when they have ended. As `Mutex`, the lock is not
 * re-entrant: a nested call for the same lock waits for its own coroutine for ever.
 *
 * **Cancellation.** A coroutine that is cancelled before the action leaves nothing: the attempt is abandoned, or the grant
 * released, and a wake-up goes to the next waiter. Cancelled during the action, it ends when Redis has confirmed the release. The action
 * is called once or, if an exception is thrown before, not at all.
 *
 * **Loss.** The lease can be lost during the action, as [DistributedLock] says. Then the result is a [dev.holdfast.LeaseLostException],
 * at the end of the action, or with `cancelOnLoss` at its next suspension point. What the action throws has priority. If only
 * the release is unconfirmed, the call returns as usual: the action was protected to its end, and the client repeats the release.
 *
 * @param lease null for a lease that is renewed until the action has ended; else the hold ends with this time, at least 1 ms, at the
 *   latest
 * @param cancelOnLoss whether the loss of the lease cancels the action, at once though its thread may be busy
 * @param action its argument is the lease, with the token of a fenced lock; it may release it earlier, or with a delay
 * @return what the action returned
 * @throws dev.holdfast.LockException if Redis failed, or did not answer or execute commands for the failover timeout, before the
 *   action; or if it is not known whether the lock was held to its end
 * @throws dev.holdfast.LeaseLostException if the lease was lost before the action had ended
 * @throws IllegalStateException if the client is closed
 * @throws kotlin.coroutines.cancellation.CancellationException if the coroutine was cancelled
 */
public suspend fun <T> DistributedLock.withLock(
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Lease) -> T,
): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    return holding(cancelOnLoss, action) {
        if (lease == null) acquireAsync() else acquireAsync(lease.toJavaDuration())
    }
}

/**
 * [withLock], but waits for a time at most. The limit is that of the wait alone: `withTimeout` around [withLock] ends the action too.
 * The action does not return null, so that null means busy and nothing else.
 *
 * @param waitFor zero does not wait for another owner; more than a century is treated as a century
 * @return what the action returned; null if Redis replied that the lock is busy, no longer than a command timeout before the end of
 *   the wait: the action was not called
 * @throws dev.holdfast.LockException if Redis failed, or there is no recent reply at the end of the wait; or as for [withLock]
 * @throws IllegalArgumentException if the wait is negative
 */
public suspend fun <T : Any> DistributedLock.withLockOrNull(
    waitFor: Duration = Duration.ZERO,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Lease) -> T,
): T? {
    contract { callsInPlace(action, InvocationKind.AT_MOST_ONCE) }
    return holdingOrNull(cancelOnLoss, action) {
        val wait = waitFor.toJavaDuration()
        if (lease == null) tryAcquireAsync(wait) else tryAcquireAsync(wait, lease.toJavaDuration())
    }
}

/**
 * Suspends until all locks are granted, runs the action under them, and releases them. What [DistributedLock.withLock][withLock]
 * says of its lock is true of all of them together: one lost lock is a lost lease, and a cancelled coroutine leaves none.
 */
public suspend fun <T> MultiLock.withLock(
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(MultiLease) -> T,
): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    return holding(cancelOnLoss, action) {
        if (lease == null) acquireAsync() else acquireAsync(lease.toJavaDuration())
    }
}

/**
 * [MultiLock.withLock][withLock], but waits for all locks together for a time at most; as
 * [DistributedLock.withLockOrNull][withLockOrNull].
 *
 * @return what the action returned; null if one of the locks stayed busy: the action was not called, and no lock is held
 */
public suspend fun <T : Any> MultiLock.withLockOrNull(
    waitFor: Duration = Duration.ZERO,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(MultiLease) -> T,
): T? {
    contract { callsInPlace(action, InvocationKind.AT_MOST_ONCE) }
    return holdingOrNull(cancelOnLoss, action) {
        val wait = waitFor.toJavaDuration()
        if (lease == null) tryAcquireAsync(wait) else tryAcquireAsync(wait, lease.toJavaDuration())
    }
}

/**
 * Suspends until any segment of this view is granted, runs the action under it, and releases it; otherwise as
 * [DistributedLock.withLock][withLock]. A nested call gets another segment, or waits.
 *
 * @param action its argument has the number of the segment: [SegmentLease.segment]
 * @throws IllegalStateException if this view is empty, or the client is closed
 */
public suspend fun <T> SegmentedLock.withSegment(
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(SegmentLease) -> T,
): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    return holding(cancelOnLoss, action) {
        if (lease == null) acquireAsync() else acquireAsync(lease.toJavaDuration())
    }
}

/**
 * [withSegment], but waits for a time at most; as [DistributedLock.withLockOrNull][withLockOrNull].
 *
 * @return what the action returned; null if all segments stayed busy: the action was not called
 * @throws IllegalStateException if this view is empty, or the client is closed
 */
public suspend fun <T : Any> SegmentedLock.withSegmentOrNull(
    waitFor: Duration = Duration.ZERO,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(SegmentLease) -> T,
): T? {
    contract { callsInPlace(action, InvocationKind.AT_MOST_ONCE) }
    return holdingOrNull(cancelOnLoss, action) {
        val wait = waitFor.toJavaDuration()
        if (lease == null) tryAcquireAsync(wait) else tryAcquireAsync(wait, lease.toJavaDuration())
    }
}
