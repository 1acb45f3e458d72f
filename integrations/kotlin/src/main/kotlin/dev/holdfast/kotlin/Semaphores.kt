@file:OptIn(ExperimentalContracts::class)

package dev.holdfast.kotlin

import dev.holdfast.DistributedSemaphore
import dev.holdfast.Permits
import dev.holdfast.internal.kotlin.holding
import dev.holdfast.internal.kotlin.holdingOrNull
import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CoroutineScope

/** [withPermits] with one permit, as `Semaphore.withPermit` of kotlinx.coroutines within a process. */
public suspend fun <T> DistributedSemaphore.withPermit(
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Permits) -> T,
): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    return withPermits(1, lease, cancelOnLoss, action)
}

/** [withPermitsOrNull] with one permit. */
public suspend fun <T : Any> DistributedSemaphore.withPermitOrNull(
    waitFor: Duration = Duration.ZERO,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Permits) -> T,
): T? {
    contract { callsInPlace(action, InvocationKind.AT_MOST_ONCE) }
    return withPermitsOrNull(1, waitFor, lease, cancelOnLoss, action)
}

/**
 * Suspends until these permits are granted, runs the action with them, and releases them together. The parameters, the
 * cancellation and the ways out are those of [DistributedLock.withLock][withLock].
 *
 * Not re-entrant: a nested call is a further request, which may wait for the permits of its own coroutine for ever.
 *
 * @param permits how many, from 1 to [DistributedSemaphore.permits]
 * @param action its argument has the number of the worker: [Permits.number]
 * @throws IllegalArgumentException if the number of permits is out of range
 */
public suspend fun <T> DistributedSemaphore.withPermits(
    permits: Int,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Permits) -> T,
): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    return holding(cancelOnLoss, action) {
        if (lease == null) acquireAsync(permits) else acquireAsync(permits, lease.toJavaDuration())
    }
}

/**
 * [withPermits], but waits for a time at most. The parameters, the cancellation and the ways out are those of
 * [DistributedLock.withLockOrNull][withLockOrNull].
 *
 * @return what the action returned; null if too few permits were free, or others wait: the action was not called
 * @throws IllegalArgumentException if the number of permits is out of range
 */
public suspend fun <T : Any> DistributedSemaphore.withPermitsOrNull(
    permits: Int,
    waitFor: Duration = Duration.ZERO,
    lease: Duration? = null,
    cancelOnLoss: Boolean = false,
    action: suspend CoroutineScope.(Permits) -> T,
): T? {
    contract { callsInPlace(action, InvocationKind.AT_MOST_ONCE) }
    return holdingOrNull(cancelOnLoss, action) {
        val wait = waitFor.toJavaDuration()
        if (lease == null) tryAcquireAsync(permits, wait) else tryAcquireAsync(permits, wait, lease.toJavaDuration())
    }
}
