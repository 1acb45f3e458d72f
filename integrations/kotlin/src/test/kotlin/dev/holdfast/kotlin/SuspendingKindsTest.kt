package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.LeaseLostException
import dev.holdfast.LossReason
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
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
        assertThat(holdfast.stats().holds()).isZero()
        assertThat(redis.server().keys()).noneMatch { it.startsWith("holdfast_") || !it.contains(':') }
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
}
