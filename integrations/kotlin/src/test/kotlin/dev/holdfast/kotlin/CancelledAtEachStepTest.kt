package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** A coroutine is cancelled at each of the points at which it is resumed: the lock is granted to the next one. */
@ExtendWith(HoldfastExtension::class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CancelledAtEachStepTest(private val redis: TestRedis, private val holdfast: Holdfast) {
    /** Cancels a coroutine when it is about to be resumed for the nth time, with what it has waited for. */
    private class CancellingAt(private val step: Int) : CoroutineDispatcher() {
        private val steps = AtomicInteger()
        lateinit var job: Job

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            if (steps.getAndIncrement() == step) {
                job.cancel()
            }
            Dispatchers.Default.dispatch(context, block)
        }
    }

    private fun kinds() = Kind.allOf(holdfast)

    @AfterEach
    fun nothingIsLeft() {
        Kind.awaitNothingLeft(redis, holdfast)
    }

    /** The lock is free. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun free_isGrantedToTheNext(kind: Kind) = atEachStep { step, calls ->
        val victim = launched(step) {
            kind.with {
                calls.incrementAndGet()
                yield()
            }
        }
        victim.join()
        withTimeout(LIMIT) { kind.with {} }
        victim
    }

    /** The lock is held, and another coroutine waits behind the cancelled one. */
    @ParameterizedTest
    @MethodSource("kinds")
    fun busy_isGrantedToTheNext(kind: Kind) = atEachStep { step, calls ->
        val release = CompletableDeferred<Unit>()
        val held = CompletableDeferred<Unit>()
        val holder = launch {
            kind.with {
                held.complete(Unit)
                release.await()
            }
        }
        held.await()
        val victim = launched(step) {
            kind.with {
                calls.incrementAndGet()
                yield()
            }
        }
        val next = launch(start = CoroutineStart.UNDISPATCHED) { kind.with {} }
        release.complete(Unit)
        withTimeout(LIMIT) { next.join() }
        victim.join()
        holder.join()
        victim
    }

    /** How many steps there are, depends on what has arrived before it is awaited; in the last scenario there are fewer than that. */
    private fun atEachStep(scenario: suspend CoroutineScope.(step: Int, calls: AtomicInteger) -> Job): Unit = runBlocking {
        for (step in 0..STEPS) {
            val calls = AtomicInteger()
            val victim = coroutineScope { scenario(step, calls) }
            assertThat(calls.get()).isLessThanOrEqualTo(1)
            when (step) {
                0 -> assertThat(calls.get()).isZero()
                STEPS -> assertThat(victim.isCancelled).isFalse()
            }
        }
    }

    private fun CoroutineScope.launched(step: Int, work: suspend CoroutineScope.() -> Unit): Job {
        val cancelling = CancellingAt(step)
        cancelling.job = launch(cancelling, CoroutineStart.LAZY, work)
        cancelling.job.start()
        return cancelling.job
    }

    private companion object {
        val LIMIT = 20.seconds

        /** More than there can be: the start, the grant, the middle of the action, its end, and the confirmation of the release. */
        const val STEPS = 8
    }
}
