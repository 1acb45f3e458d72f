@file:OptIn(ExperimentalContracts::class)

package dev.holdfast.internal.kotlin

import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import dev.holdfast.ReleaseUnconfirmedException
import java.util.Optional
import java.util.concurrent.CompletableFuture
import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** Runs the body with the lease that the attempt grants, and releases it. */
internal suspend fun <L : Lease, T> holding(
    cancelOnLoss: Boolean,
    body: suspend CoroutineScope.(L) -> T,
    attempt: () -> CompletableFuture<L>,
): T {
    contract { callsInPlace(body, InvocationKind.EXACTLY_ONCE) }
    val lease = granted(attempt) { it }
    return hold(lease, cancelOnLoss, body)
}

/** As [holding]; null, without the body, if the attempt ends without a lease. */
internal suspend fun <L : Lease, T : Any> holdingOrNull(
    cancelOnLoss: Boolean,
    body: suspend CoroutineScope.(L) -> T,
    attempt: () -> CompletableFuture<Optional<L>>,
): T? {
    contract { callsInPlace(body, InvocationKind.AT_MOST_ONCE) }
    val lease = granted(attempt) { it.orElse(null) } ?: return null
    return hold(lease, cancelOnLoss, body)
}

/**
 * Suspends until the attempt has ended. A coroutine that is cancelled first abandons it. A grant that precedes the cancellation
 * does not reach the coroutine any more, but is in the future: it is released.
 */
private suspend fun <G : Any, L : Lease?> granted(attempt: () -> CompletableFuture<G>, leaseOf: (G) -> L): L {
    currentCoroutineContext().ensureActive()
    val granting = attempt()
    try {
        return leaseOf(granting.await())
    } catch (failure: Throwable) {
        granting.cancel(false)
        if (!granting.isCompletedExceptionally) {
            leaseOf(granting.join())?.release(failure)
        }
        throw failure
    }
}

private suspend fun <L : Lease, T> hold(lease: L, cancelOnLoss: Boolean, body: suspend CoroutineScope.(L) -> T): T {
    contract { callsInPlace(body, InvocationKind.EXACTLY_ONCE) }
    val result =
        try {
            if (cancelOnLoss) {
                lease.untilLost { body(lease) }
            } else {
                activeScope { body(lease) }
            }
        } catch (failure: Throwable) {
            lease.release(failure)
            throw failure
        }
    lease.release()
    return result
}

/** Fails with the loss even if the body's thread is busy, and though the body has returned while its children still run. */
private suspend fun <T> Lease.untilLost(body: suspend CoroutineScope.() -> T): T {
    contract { callsInPlace(body, InvocationKind.EXACTLY_ONCE) }
    return coroutineScope {
        val loss =
            launch(Dispatchers.Unconfined, CoroutineStart.UNDISPATCHED) {
                throw LeaseLostException("the lease of '${name()}' was lost during the work", lost().await())
            }
        val result = activeScope(body)
        loss.cancel()
        result
    }
}

/** A coroutine that was cancelled after its grant does not begin with the body. */
private suspend fun <T> activeScope(body: suspend CoroutineScope.() -> T): T {
    contract { callsInPlace(body, InvocationKind.EXACTLY_ONCE) }
    currentCoroutineContext().ensureActive()
    return coroutineScope(body)
}

/** As runLocked does: the failure of the body has priority, and what is only unconfirmed was protected to its end. */
private suspend fun Lease.release(after: Throwable? = null) {
    try {
        withContext(NonCancellable) { releaseAsync().await() }
    } catch (failed: Exception) {
        when {
            after == null -> if (failed !is ReleaseUnconfirmedException) throw failed
            // The body may have closed the lease itself, and thrown what that throws.
            failed !== after -> after.addSuppressed(failed)
        }
    }
}
