package dev.holdfast.kotlin

import dev.holdfast.DistributedLock
import dev.holdfast.Holdfast
import dev.holdfast.Lease
import dev.holdfast.testkit.Eventually
import dev.holdfast.testkit.junit.TestRedis
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineScope
import org.assertj.core.api.Assertions.assertThat

/** One kind of lock by its functions for coroutines, with one name per kind. */
class Kind(
    private val label: String,
    /** Whether one coroutine at a time has it. */
    val isExclusive: Boolean,
    private val call: suspend (lease: Duration?, cancelOnLoss: Boolean, action: suspend CoroutineScope.(Lease) -> Unit) -> Unit,
    private val tryCall: suspend (waitFor: Duration, action: suspend CoroutineScope.(Lease) -> Unit) -> Unit?,
) {
    suspend fun with(lease: Duration? = null, cancelOnLoss: Boolean = false, action: suspend CoroutineScope.(Lease) -> Unit) =
        call(lease, cancelOnLoss, action)

    /** Null if it is busy. */
    suspend fun withOrNull(waitFor: Duration = Duration.ZERO, action: suspend CoroutineScope.(Lease) -> Unit = {}): Unit? =
        tryCall(waitFor, action)

    override fun toString() = label

    companion object {
        fun allOf(holdfast: Holdfast): List<Kind> {
            val readWrite = holdfast.getReadWriteLock("read-write")
            val multi = Holdfast.multiLock(holdfast.getLock("multi:1"), holdfast.getLock("multi:2"))
            val segments = holdfast.getSegmentedLock("segments", 1)
            val semaphore = holdfast.getSemaphore("semaphore", 3)
            return listOf(
                of("plain", holdfast.getLock("plain")),
                of("fenced", holdfast.getFencedLock("fenced")),
                of("fair", holdfast.getFairLock("fair")),
                of("write", readWrite.writeLock()),
                of("read", holdfast.getReadWriteLock("read").readLock(), isExclusive = false),
                Kind(
                    "multi-lock",
                    true,
                    { lease, cancel, action -> multi.withLock(lease, cancel) { action(it) } },
                    { wait, action -> multi.withLockOrNull(wait) { action(it) } },
                ),
                Kind(
                    "segment",
                    true,
                    { lease, cancel, action -> segments.withSegment(lease, cancel) { action(it) } },
                    { wait, action -> segments.withSegmentOrNull(wait) { action(it) } },
                ),
                Kind(
                    "permit",
                    false,
                    { lease, cancel, action -> semaphore.withPermit(lease, cancel) { action(it) } },
                    { wait, action -> semaphore.withPermitOrNull(wait) { action(it) } },
                ),
                Kind(
                    "permits",
                    true,
                    { lease, cancel, action -> semaphore.withPermits(3, lease, cancel) { action(it) } },
                    { wait, action -> semaphore.withPermitsOrNull(3, wait) { action(it) } },
                ),
            )
        }

        /** No hold, no waiter, and no key but the one that keeps the tokens of a fenced lock growing. */
        fun awaitNothingLeft(redis: TestRedis, holdfast: Holdfast) {
            Eventually.await().untilAsserted {
                assertThat(holdfast.stats().holds()).isZero()
                assertThat(holdfast.stats().waiters()).isZero()
                assertThat(redis.server().keys()).isSubsetOf("redisson_lock_token:{fenced}")
            }
        }

        private fun of(label: String, lock: DistributedLock, isExclusive: Boolean = true) =
            Kind(
                label,
                isExclusive,
                { lease, cancel, action -> lock.withLock(lease, cancel, action) },
                { wait, action -> lock.withLockOrNull(wait, action = action) },
            )
    }
}
