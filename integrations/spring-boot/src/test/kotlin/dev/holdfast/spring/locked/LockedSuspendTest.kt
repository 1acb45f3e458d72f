package dev.holdfast.spring.locked

import dev.holdfast.Holdfast
import dev.holdfast.LeaseLostException
import dev.holdfast.testkit.Eventually
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/** The lock of a suspend function is held until its coroutine has ended. */
@Timeout(60)
internal class LockedSuspendTest {
    private companion object {
        @JvmField
        @RegisterExtension
        val application = LockedApplication()
    }

    private fun with(test: suspend CoroutineScope.(SuspendedService, Holdfast) -> Unit) {
        application.runner().withBean(SuspendedService::class.java).run { context ->
            val service = context.getBean(SuspendedService::class.java)
            val client = context.getBean(Holdfast::class.java)
            runBlocking(Dispatchers.Default) { withTimeout(30_000) { test(service, client) } }
            Eventually.await().until { !isLocked() && client.stats().waiters() == 0L }
        }
    }

    private fun isLocked(name: String = "suspended") = application.isLocked(name)

    /** Callers in any number wait for each other, on few threads. */
    @Test
    fun callers_areSerial() = with { service, _ ->
        val inside = AtomicInteger()
        val most = AtomicInteger()
        (1..50).map {
            async {
                service.run {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max)
                    yield()
                    assertThat(CurrentLock.isHeld("suspended")).isTrue()
                    inside.decrementAndGet()
                    it
                }
            }
        }.awaitAll().let { assertThat(it).isEqualTo((1..50).toList()) }
        assertThat(most).hasValue(1)
    }

    /** A value, null and Unit are returned after the release. */
    @Test
    fun result_isReturned() = with { service, _ ->
        assertThat(service.run { "x".also { assertThat(isLocked()).isTrue() } }).isEqualTo("x")
        assertThat(isLocked()).isFalse()
        assertThat(service.run<String?> { null }).isNull()
        service.keyed(Item("a"), 1) { yield() }
        assertThat(isLocked("item:a/1")).isFalse()
    }

    /** So is an exception, which passes as it is. */
    @Test
    fun exception_passes() = with { service, _ ->
        for (failure in listOf(UnsupportedOperationException(), NoClassDefFoundError("missing"))) {
            val seen = runCatching { service.run<Unit> { yield(); throw failure } }.exceptionOrNull()
            assertThat(seen).isInstanceOf(failure.javaClass)
            assertThat(isLocked()).isFalse()
        }
    }

    /** The expression for the name sees the arguments by their names, and not the continuation. */
    @Test
    fun key_seesArguments() = with { service, _ ->
        service.keyed(Item("a"), 7) { assertThat(isLocked("item:a/7")).isTrue() }
    }

    /** A busy lock is an exception, or null in place of a call. */
    @Test
    fun busy_isReported() = with { service, _ ->
        assertThat(service.skip()).isEqualTo("ran")
        application.rival().getFencedLock("suspended").acquire().use {
            assertThat(runCatching { service.tryToRun { "x" } }.exceptionOrNull())
                .isInstanceOf(LockBusyException::class.java)
            assertThat(service.skip()).isNull()
            service.skipUnit()
        }
        assertThat(service.calls).hasValue(0)
    }

    /** A caller that is cancelled while it waits runs nothing and leaves nothing. */
    @Test
    fun cancelled_whileWaiting() = with { service, client ->
        application.rival().getFencedLock("suspended").acquire().use {
            val waiter = launch { service.run { } }
            Eventually.await().until { client.stats().waiters() == 1L }
            waiter.cancelAndJoin()
            Eventually.await().until { client.stats().waiters() == 0L }
        }
        assertThat(service.calls).hasValue(0)
        assertThat(service.run { "x" }).isEqualTo("x")
    }

    /** A caller that is cancelled releases the lock when its coroutine has ended, however long that blocks or cleans up. */
    @Test
    fun cancelled_whileRunning() = with { service, client ->
        val blocking = CountDownLatch(1)
        val cleaned = CompletableDeferred<Unit>()
        val caller = launch {
            service.run {
                try {
                    withContext(Dispatchers.IO) { blocking.await() }
                } finally {
                    withContext(NonCancellable) { cleaned.await() }
                    assertThat(CurrentLock.isHeld("suspended")).isTrue()
                }
            }
        }
        Eventually.await().until { service.calls.get() == 1 }
        caller.cancelAndJoin()
        assertHeld()
        blocking.countDown()
        assertHeld()
        cleaned.complete(Unit)
        Eventually.await().until { !isLocked() }
        assertThat(client.stats().lost()).isZero()
    }

    private fun assertHeld() = assertThat(application.rival().getLock("suspended").tryAcquire(Duration.ofMillis(50))).isEmpty()

    /** A loss cancels the coroutine; the caller gets it when that has ended. */
    @Test
    fun lost_cancelsCoroutine() = with { service, _ ->
        val ended = CompletableDeferred<Unit>()
        val call = async {
            runCatching {
                service.run {
                    try {
                        awaitCancellation()
                    } finally {
                        withContext(NonCancellable) { yield() }
                        assertThat(CurrentLock.isHeld("suspended")).isFalse()
                        ended.complete(Unit)
                    }
                }
            }.also { assertThat(ended.isCompleted).isTrue() }
        }
        Eventually.await().until { service.calls.get() == 1 }
        application.deleteAndRenew("suspended")
        assertThat(call.await().exceptionOrNull()).isInstanceOf(LeaseLostException::class.java)
    }

    /** A loss that only the release reveals is the same exception. */
    @Test
    fun lost_seenByRelease() = with { service, _ ->
        val seen = runCatching { service.run { application.delete("suspended") } }.exceptionOrNull()
        assertThat(seen).isInstanceOf(LeaseLostException::class.java)
    }

    /** Whatever thread runs the coroutine, or one that it starts, has the token; afterwards none has. */
    @Test
    fun token_isOfCoroutine() = with { service, _ ->
        service.run {
            val token = CurrentLock.token()
            yield()
            assertThat(CurrentLock.token()).isEqualTo(token)
            coroutineScope {
                launch(Dispatchers.IO) { assertThat(CurrentLock.token("suspended")).isEqualTo(token) }
            }
            service.other { assertThat(CurrentLock.token()).isEqualTo(token) }
            assertThat(CurrentLock.isHeld("other")).isFalse()
        }
        repeat(20) { launch { assertThat(Holds.ofThread()).isEmpty() } }
    }

    /** An inner call for the same lock would wait for its own caller, also from a coroutine that this has started. */
    @Test
    fun innerCall_isRefused() = with { service, _ ->
        service.run {
            for (dispatcher in listOf(Dispatchers.Unconfined, Dispatchers.IO)) {
                val inner = coroutineScope { async(dispatcher) { runCatching { service.run { } } }.await() }
                assertThat(inner.exceptionOrNull())
                    .isInstanceOf(IllegalStateException::class.java)
                    .hasMessageContaining("the lock suspended would wait")
            }
            assertThat(service.other { "x" }).isEqualTo("x")
        }
    }

    /** A coroutine that outlives the call, though it has its context, calls the function as any other does. */
    @Test
    fun detachedCoroutine_isFree() = with { service, _ ->
        val ended = CompletableDeferred<Unit>()
        val detached = service.run {
            CoroutineScope(currentCoroutineContext()).async(NonCancellable) {
                ended.await()
                service.run { "x" }
            }
        }
        ended.complete(Unit)
        assertThat(detached.await()).isEqualTo("x")
    }

    /** So does one that a thread runs from before the end of the call until after it. */
    @Test
    fun detachedCoroutine_runsOn() = with { service, _ ->
        val started = CountDownLatch(1)
        val ended = CountDownLatch(1)
        val detached = service.run {
            CoroutineScope(currentCoroutineContext()).async(NonCancellable + Dispatchers.IO) {
                started.countDown()
                ended.await()
                assertThatThrownBy { CurrentLock.token() }.isInstanceOf(IllegalStateException::class.java)
                service.run { "x" }
            }.also { started.await() }
        }
        ended.countDown()
        assertThat(detached.await()).isEqualTo("x")
    }

    /** The lock stays busy for as long as the annotation says. */
    @Test
    fun keepFor_isKept() = with { service, _ ->
        service.kept()
        assertThat(application.rival().getLock("kept").remainingLease()).hasValueSatisfying { rest ->
            assertThat(rest).isBetween(Duration.ofMillis(1), Duration.ofMinutes(1))
        }
        application.delete("kept")
    }

    /** Permits are held in the same way, and a lock inside of them. */
    @Test
    fun permits_areHeld() = with { service, _ ->
        val semaphore = application.rival().getSemaphore("permits", 2)
        val number = service.limited {
            yield()
            assertThat(semaphore.inspect().held()).isEqualTo(1)
            assertThat(CurrentLock.isHeld("suspended")).isTrue()
        }
        assertThat(number).isZero()
        assertThat(semaphore.inspect().held()).isZero()
    }

    /** A function that returns a flow holds the lock during each collection. */
    @Test
    fun flow_heldUntilCollected() = with { service, _ ->
        val items = service.flow(flow { emit("${isLocked()}") })
        assertThat(isLocked()).isFalse()
        assertThat(items.toList()).containsExactly("true")
    }

    /** What suspends and could not keep a lock, or has no value when skipped, is refused at the start. */
    @Test
    fun unkeepable_isRefused() {
        application.assertRefused(FlowLater::class.java, "work(", "kotlinx.coroutines.flow.Flow", "suspend")
        application.assertRefused(DeferredLater::class.java, "work(", "kotlinx.coroutines.CompletableDeferred")
        application.assertRefused(SkippedValue::class.java, "work(", "Integer", "nullable")
        application.assertRefused(FinalFunction::class.java, "work(", "final")
    }
}
