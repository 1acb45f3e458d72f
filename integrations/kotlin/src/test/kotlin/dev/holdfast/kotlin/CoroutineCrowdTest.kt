package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.Lease
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import java.time.Duration
import java.time.temporal.ChronoUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith

/** Thousands of coroutines on two threads, of which many are cancelled at any moment. */
@ExtendWith(HoldfastExtension::class)
class CoroutineCrowdTest(private val redis: TestRedis, private val holdfast: Holdfast) {
    /** The coroutines of one kind, and what they have seen. */
    private class Crowd(val kind: Kind) {
        val inside = AtomicInteger()
        val overlaps = AtomicInteger()
        val calls = ArrayList<AtomicInteger>()
        val jobs = ArrayList<Job>()
        /** Those that nothing cancels. */
        val patient = ArrayList<Job>()

        suspend fun work(calls: AtomicInteger) = kind.with { act(it, calls) }

        private suspend fun act(lease: Lease, calls: AtomicInteger) {
            calls.incrementAndGet()
            if (inside.incrementAndGet() > 1 && kind.isExclusive) {
                overlaps.incrementAndGet()
            }
            try {
                yield()
                assertThat(lease.isValid).isTrue()
            } finally {
                inside.decrementAndGet()
            }
        }
    }

    /** Each that is not cancelled has its turn, alone and once; and nothing is left of the others. */
    @Test
    fun crowd_leavesNothing(): Unit = runBlocking { run(coroutines = 300, longest = 100_000) }

    /** So it is on a slow network, whose delays change. */
    @Test
    @Tag("slow")
    fun crowdOnASlowNetwork_leavesNothing(): Unit = runBlocking {
        for (micros in listOf(300L, 2_000L)) {
            redis.network().delay(Duration.of(micros, ChronoUnit.MICROS))
            run(coroutines = 300, longest = 500_000)
        }
    }

    private suspend fun run(coroutines: Int, longest: Int) {
        val random = Random(SEED)
        val threads = Dispatchers.Default.limitedParallelism(2)
        val crowds = Kind.allOf(holdfast).map { Crowd(it) }
        withTimeout(LIMIT) {
            repeat(coroutines) { crowds.forEach { crowd -> launchOne(crowd, threads, random, longest) } }
            crowds.flatMap { it.jobs }.joinAll()
        }
        for (crowd in crowds) {
            assertThat(crowd.overlaps.get()).`as`("overlaps of %s", crowd.kind).isZero()
            assertThat(crowd.calls).`as`("%s", crowd.kind).allMatch { it.get() <= 1 }
            assertThat(crowd.patient).`as`("%s", crowd.kind).noneMatch { it.isCancelled }
            assertThat(crowd.jobs).`as`("%s", crowd.kind).anyMatch { it.isCancelled }
            withTimeout(LIMIT) { crowd.kind.with {} }
        }
        Kind.awaitNothingLeft(redis, holdfast)
    }

    private fun CoroutineScope.launchOne(
        crowd: Crowd,
        threads: CoroutineDispatcher,
        random: Random,
        longest: Int,
    ) {
        val calls = AtomicInteger()
        val job = launch(threads) { crowd.work(calls) }
        crowd.calls += calls
        crowd.jobs += job
        if (random.nextInt(3) == 0) {
            crowd.patient += job
        } else {
            val after = random.nextInt(longest).microseconds
            launch(Dispatchers.Default) {
                delay(after)
                job.cancel()
            }
        }
    }

    private companion object {
        const val SEED = 39
        val LIMIT = 60.seconds
    }
}
