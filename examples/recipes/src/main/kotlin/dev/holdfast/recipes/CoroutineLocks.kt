package dev.holdfast.recipes

import dev.holdfast.DistributedLock
import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/** Runs the block under the lock, and releases it when the block returns, fails, is cancelled or loses the lock. */
suspend fun <T> DistributedLock.withLease(block: suspend CoroutineScope.(Lease) -> T): T {
    val lease = awaitLease()
    var failed: Throwable? = null
    try {
        return coroutineScope {
            val loss = launch {
                throw LeaseLostException("lock '${name()}' was lost during the work", lease.lost().await())
            }
            block(lease).also { loss.cancel() }
        }
    } catch (e: Throwable) {
        failed = e
        throw e
    } finally {
        try {
            withContext(NonCancellable) { lease.releaseAsync().await() }
        } catch (e: Exception) {
            failed?.addSuppressed(e) ?: throw e
        }
    }
}

/** Cancelled while it waits, it acquires nothing. A lease that comes together with the cancellation is released. */
private suspend fun DistributedLock.awaitLease(): Lease = suspendCancellableCoroutine { waiting ->
    val attempt = acquireAsync()
    waiting.invokeOnCancellation { attempt.cancel(false) }
    attempt.whenComplete { lease, failed ->
        if (failed == null) {
            waiting.resume(lease) { _, unwanted, _ -> unwanted.releaseAsync() }
        } else {
            waiting.resumeWithException(failed)
        }
    }
}
