package dev.holdfast.recipes

import dev.holdfast.Holdfast
import dev.holdfast.LeaseLostException
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

@ExtendWith(HoldfastExtension::class)
class CoroutineLocksTest(private val redis: TestRedis, private val holdfast: Holdfast) {
    private val lock = holdfast.getLock("coroutine")

    /** The lock is held during the block, on whichever thread it runs, and free when the result is there. */
    @Test
    fun block_isUnderTheLock() = runBlocking<Unit> {
        val locked = lock.withLease { withContext(Dispatchers.IO) { lock.isLocked() } }
        assertThat(locked).isTrue()
        assertThat(lock.isLocked()).isFalse()
    }

    /** The failure of the block is the failure of the whole, and the lock is free. */
    @Test
    fun failure_releases() {
        assertThatExceptionOfType(NoSuchElementException::class.java)
            .isThrownBy { runBlocking { lock.withLease { throw NoSuchElementException("stock") } } }
        assertThat(lock.isLocked()).isFalse()
    }

    /** When a cancelled coroutine has ended, it no longer has the lock. */
    @Test
    fun cancel_releases() = runBlocking<Unit> {
        val begun = CompletableDeferred<Unit>()
        val work = launch {
            lock.withLease {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        begun.await()
        assertThat(lock.isLocked()).isTrue()
        work.cancelAndJoin()
        assertThat(lock.isLocked()).isFalse()
    }

    /** A cancelled coroutine does not end before Redis has confirmed the release. */
    @Test
    fun cancel_awaitsTheRelease() = runBlocking<Unit> {
        val begun = CompletableDeferred<Unit>()
        val work = launch {
            lock.withLease {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        begun.await()
        redis.pause()
        work.cancel()
        assertThat(withTimeoutOrNull(200) { work.join() }).isNull()
        redis.resume()
        work.join()
    }

    /** A coroutine that is cancelled while it waits gets nothing later. */
    @Test
    fun cancelOfTheWait_acquiresNothing() = runBlocking<Unit> {
        val busy = redis.busy(lock)
        val begun = AtomicBoolean()
        val work = launch(Dispatchers.Default) { lock.withLease { begun.set(true) } }
        await().until { holdfast.stats().waiters() == 1L }
        work.cancelAndJoin()
        await().until { holdfast.stats().waiters() == 0L }
        busy.close()
        await().until { !lock.isLocked() }
        assertThat(begun).isFalse()
    }

    /** A lease that is granted while the coroutine is cancelled is released. */
    @Test
    fun cancelAtTheGrant_releases() = runBlocking<Unit> {
        val begun = AtomicBoolean()
        val work = launch(start = CoroutineStart.UNDISPATCHED) {
            LateGrant.of(lock).withLease { begun.set(true) }
        }
        work.cancelAndJoin()
        assertThat(begun).isFalse()
        await().until { !lock.isLocked() }
        assertThat(holdfast.stats().holds()).isZero()
    }

    /** A block that would go on without the lock ends with the loss. */
    @Test
    @Timeout(30)
    fun loss_endsTheBlock() {
        assertThatExceptionOfType(LeaseLostException::class.java)
            .isThrownBy {
                runBlocking {
                    lock.withLease {
                        redis.loseLease(it)
                        awaitCancellation()
                    }
                }
            }
            .withMessageContaining("lost during the work")
    }
}
