package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import dev.holdfast.MultiLease
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** Each kind of lock, on Redis. */
@ExtendWith(HoldfastExtension::class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendingKindsTest(private val redis: TestRedis, private val holdfast: Holdfast) {
    private fun kinds() = Kind.allOf(holdfast)

    @AfterEach
    fun nothingIsLeft() {
        Kind.awaitNothingLeft(redis, holdfast)
    }

    /** It is held during the action, on whichever thread, for its coroutine alone; and free when the result is there. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun action_isUnderTheLock(kind: Kind): Unit = runBlocking {
        kind.with {
            assertThat(withContext(Dispatchers.IO) { it.isValid }).isTrue()
            if (kind.isExclusive) {
                assertThat(kind.withOrNull()).isNull()
            }
        }
        assertThat(kind.withOrNull { assertThat(it.isValid).isTrue() }).isNotNull()
    }

    /** What the action throws is thrown, and the lock is free. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun failure_releases(kind: Kind): Unit = runBlocking {
        val failure = assertFails { kind.with { throw NoSuchElementException("stock") } }
        assertThat(failure).isInstanceOf(NoSuchElementException::class.java).hasMessage("stock")
    }

    /** When a cancelled coroutine has ended, it no longer has the lock. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun cancel_releases(kind: Kind): Unit = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val work = launch {
            kind.with {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        begun.await()
        work.cancelAndJoin()
        assertThat(kind.withOrNull()).isNotNull()
    }

    /** Asked to cancel, a lost lease ends the action while it is suspended. */
    @ParameterizedTest
    @MethodSource("kinds")
    @Timeout(30)
    fun loss_cancelsTheAction(kind: Kind): Unit = runBlocking {
        val failure = assertFails {
            kind.with(cancelOnLoss = true) {
                lose(it)
                awaitCancellation()
            }
        }
        assertThat(failure).isInstanceOf(LeaseLostException::class.java).hasMessageContaining("lost during the work")
    }

    /** Otherwise the action goes on, and the loss is thrown at its end. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun loss_isThrownAtTheEnd(kind: Kind): Unit = runBlocking {
        var ended = false
        val failure = assertFails {
            kind.with {
                lose(it)
                yield()
                ended = true
            }
        }
        assertThat(failure).isInstanceOf(LeaseLostException::class.java)
        assertThat(ended).isTrue()
    }

    /** An explicit lease is that of the hold. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun lease_isThatOfTheHold(kind: Kind): Unit = runBlocking {
        kind.with(lease = 10.minutes) { assertThat(it.remaining()).isGreaterThan(java.time.Duration.ofMinutes(9)) }
    }

    /** A coroutine that waits has the lock when it is released in time, and null otherwise. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun wait_isLimited(kind: Kind): Unit = runBlocking {
        if (!kind.isExclusive) return@runBlocking
        lateinit var waiting: Deferred<Unit?>
        kind.with {
            assertThat(kind.withOrNull(waitFor = 20.milliseconds)).isNull()
            waiting = this@runBlocking.async(start = CoroutineStart.UNDISPATCHED) { kind.withOrNull(waitFor = 1.minutes) }
            assertThat(waiting.isCompleted).isFalse()
        }
        assertThat(waiting.await()).isNotNull()
    }

    /** Of a multi-lock, one lock is lost. */
    private fun lose(lease: Lease) {
        if (lease is MultiLease) redis.loseLease(lease.names().first()) else redis.loseLease(lease)
    }

    private suspend fun assertFails(call: suspend () -> Unit): Throwable? =
        try {
            call()
            null
        } catch (e: Exception) {
            e
        }
}
