package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.LatchGoneException
import dev.holdfast.testkit.Eventually
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatIllegalArgumentException
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.extension.ExtendWith

/** Latches that coroutines await, on Redis. */
@ExtendWith(HoldfastExtension::class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendingLatchTest(private val redis: TestRedis, private val holdfast: Holdfast) {
    private val latch = holdfast.getCountDownLatch("latch")

    /** Those that wait go on when it opens. */
    @Test
    fun waiters_goOnAtTheOpening(): Unit = runBlocking {
        latch.trySetCount(2)
        val waiting = List(100) { async(start = CoroutineStart.UNDISPATCHED) { latch.awaitSuspending() } }
        latch.countDown()
        assertThat(latch.awaitSuspending(20.milliseconds)).isFalse()
        assertThat(waiting).noneMatch { it.isCompleted }
        latch.countDown()
        waiting.forEach { it.await() }
        assertThat(latch.awaitSuspending(Duration.ZERO)).isTrue()
    }

    /** A coroutine that is cancelled leaves nothing of its wait, and the others wait on. */
    @Test
    fun cancelled_waitsNoLonger(): Unit = runBlocking {
        latch.trySetCount(1)
        val waiting = List(2) { async(start = CoroutineStart.UNDISPATCHED) { latch.awaitSuspending() } }
        Eventually.await().until { redis.server().channels().isNotEmpty() }
        waiting[0].cancelAndJoin()
        latch.countDown()
        waiting[1].await()
    }

    /** The deletion of what is awaited is thrown. */
    @Test
    fun deleted_fails(): Unit = runBlocking {
        supervisorScope {
            latch.trySetCount(1)
            val waiting = async(start = CoroutineStart.UNDISPATCHED) { latch.awaitSuspending() }
            Eventually.await().until { redis.server().channels().isNotEmpty() }
            latch.delete()
            waiting.join()
            assertThat(waiting.getCompletionExceptionOrNull()).isInstanceOf(LatchGoneException::class.java)
        }
    }

    /** A negative wait is refused. */
    @Test
    fun negativeWait_isRefused() {
        assertThatIllegalArgumentException().isThrownBy { runBlocking { latch.awaitSuspending((-1).milliseconds) } }
    }
}
