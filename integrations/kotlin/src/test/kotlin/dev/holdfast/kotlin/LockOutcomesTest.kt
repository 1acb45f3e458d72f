package dev.holdfast.kotlin

import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import dev.holdfast.LockException
import dev.holdfast.ReleaseUnconfirmedException
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** What a call leaves and returns, for each order of its events; in virtual time, without Redis. */
class LockOutcomesTest {
    private val manual = ManualLock()
    private val lock = manual.lock
    private val calls = ArrayList<Lease>()

    /** The action has the lease, and its result is returned when the release is confirmed. */
    @Test
    fun action_isCalledOnceUnderTheLease() = runTest {
        val call = async { lock.withLock { "done".also { _ -> calls += it } } }
        runCurrent()
        assertThat(calls).isEmpty()
        manual.grant()
        runCurrent()
        assertThat(calls).containsExactly(manual.lease)
        assertThat(call.isCompleted).isFalse()
        manual.release!!.complete(null)
        assertThat(call.await()).isEqualTo("done")
    }

    /** The compiler knows that the action is called exactly once. */
    @Test
    fun contract_isKnownToTheCompiler() = runTest {
        val result: String
        ManualLock(atOnce = {}).lock.withLock { result = "set" }
        assertThat(result).isEqualTo("set")
    }

    /** What is passed is passed on; without a lease, it is renewed. */
    @Test
    fun limits_arePassedOn() = runTest {
        val calls =
            listOf(
                async { lock.withLock { } },
                async { lock.withLock(lease = 5.seconds) { } },
                async { lock.withLockOrNull { } },
                async { lock.withLockOrNull(20.milliseconds) { } },
                async { lock.withLockOrNull(20.milliseconds, 5.seconds) { } },
            )
        runCurrent()
        val zero = java.time.Duration.ZERO
        val short = 20.milliseconds.toJavaDuration()
        val long = 5.seconds.toJavaDuration()
        assertThat(manual.attempts.map { it.limits })
            .containsExactly(listOf(), listOf(long), listOf(zero), listOf(short), listOf(short, long))
        calls.forEach { it.cancel() }
    }

    /** A busy lock is null, and the action is not called. */
    @Test
    fun busy_isNull() = runTest {
        val call = async { lock.withLockOrNull { calls += it } }
        runCurrent()
        manual.refuse()
        assertThat(call.await()).isNull()
        assertThat(calls).isEmpty()
        assertThat(manual.release).isNull()
    }

    /** A failure of the attempt is thrown, and there is nothing to release. */
    @Test
    fun failureOfTheAttempt_isThrown() = runTest {
        val failed = failureOf { lock.withLock { calls += it } }
        runCurrent()
        manual.attempts.single().future.completeExceptionally(LockException("no answer", null, listOf("manual")))
        assertThat(failed.await()).isInstanceOf(LockException::class.java).hasMessage("no answer")
        assertThat(calls).isEmpty()
        assertThat(manual.release).isNull()
    }

    /** A coroutine that is cancelled already attempts nothing. */
    @Test
    fun cancelledBefore_attemptsNothing() = runTest {
        val call =
            launch(start = CoroutineStart.UNDISPATCHED) {
                currentCoroutineContext().job.cancel()
                lock.withLock { calls += it }
            }
        call.join()
        assertThat(manual.attempts).isEmpty()
        assertThat(calls).isEmpty()
    }

    /** A coroutine that is cancelled while it waits abandons its attempt, also by the end of a time limit. */
    @Test
    fun cancelledInTheWait_abandons() = runTest {
        assertThat(withTimeoutOrNull(1.seconds) { lock.withLock { calls += it } }).isNull()
        assertThat(manual.attempts.single().future.isCancelled).isTrue()
        assertThat(calls).isEmpty()
    }

    /** A grant that does not reach the coroutine any more is released before the coroutine ends. */
    @Test
    fun cancelledAfterTheGrant_releases() = runTest {
        val call = launch { lock.withLock { calls += it } }
        runCurrent()
        manual.grant()
        call.cancel()
        assertReleasedBeforeTheEnd(call)
    }

    /** So is one that comes while the attempt is being cancelled. */
    @Test
    fun cancelledBeforeTheGrantArrives_releases() = runTest {
        val call = launch { lock.withLockOrNull { calls += it } }
        runCurrent()
        manual.attempts.single().future.whenComplete { _, _ -> call.cancel() }
        manual.grant()
        assertReleasedBeforeTheEnd(call)
    }

    /** A grant at once does not call the action of a coroutine that the attempt has found cancelled. */
    @Test
    fun cancelledInTheAttempt_releases() = runTest {
        lateinit var call: Job
        val granting = ManualLock(atOnce = { call.cancel() })
        call = launch { granting.lock.withLock { calls += it } }
        runCurrent()
        assertThat(granting.release).isNotNull()
        assertThat(calls).isEmpty()
        assertThat(call.isCancelled).isTrue()
    }

    /** A coroutine that is cancelled in the action ends when the release is confirmed. */
    @Test
    fun cancelledInTheAction_awaitsTheRelease() = runTest {
        val call =
            launch {
                lock.withLock {
                    calls += it
                    awaitCancellation()
                }
            }
        runCurrent()
        manual.grant()
        runCurrent()
        assertThat(calls).hasSize(1)
        call.cancel()
        runCurrent()
        assertThat(call.isCompleted).isFalse()
        manual.release!!.complete(null)
        runCurrent()
        assertThat(call.isCancelled && call.isCompleted).isTrue()
    }

    /** What the action throws is thrown, with what the release threw as suppressed. */
    @Test
    fun failureOfTheAction_hasPriority() = runTest {
        val failed = failureOf { lock.withLock { throw NoSuchElementException("stock") } }
        runCurrent()
        manual.grant()
        runCurrent()
        manual.release!!.completeExceptionally(LockException("late", null, listOf("manual")))
        val failure = failed.await()
        assertThat(failure).isInstanceOf(NoSuchElementException::class.java).hasMessage("stock")
        assertThat(failure.suppressedInAll()).anyMatch { it is LockException }
    }

    /** An action that closes the lease itself may throw what that throws. */
    @Test
    fun failureOfTheRelease_isThrownOnce() = runTest {
        val lost = LeaseLostException("lost", ManualLock.LOSS)
        val failed = failureOf { lock.withLock { throw lost } }
        runCurrent()
        manual.grant()
        runCurrent()
        manual.release!!.completeExceptionally(lost)
        assertThat(failed.await()).isSameAs(lost)
    }

    /** A release that is only unconfirmed leaves the result as it is. */
    @Test
    fun unconfirmedRelease_returnsTheResult() = runTest {
        val call = async { lock.withLock { "done" } }
        runCurrent()
        manual.grant()
        runCurrent()
        manual.release!!.completeExceptionally(ReleaseUnconfirmedException("no answer", null, listOf("manual")))
        assertThat(call.await()).isEqualTo("done")
    }

    /** Without being asked to cancel, a loss lets the action end, and is thrown then. */
    @Test
    fun loss_isThrownAfterTheAction() = runTest {
        val failed =
            failureOf {
                lock.withLock {
                    delay(1.seconds)
                    calls += it
                }
            }
        runCurrent()
        manual.grant()
        runCurrent()
        manual.lose()
        testScheduler.advanceTimeBy(1001)
        assertThat(calls).hasSize(1)
        manual.release!!.completeExceptionally(LeaseLostException("lost", ManualLock.LOSS))
        assertThat(failed.await()).isInstanceOf(LeaseLostException::class.java).hasMessage("lost")
    }

    /** Asked to cancel, it ends the action at its suspension, and the lease is closed all the same. */
    @Test
    fun loss_cancelsTheAction() = runTest {
        val failed = failureOf { lock.withLock(cancelOnLoss = true) { awaitCancellation() } }
        runCurrent()
        manual.grant()
        runCurrent()
        assertThat(failed.isCompleted).isFalse()
        manual.lose()
        runCurrent()
        manual.release!!.completeExceptionally(LeaseLostException("lost", ManualLock.LOSS))
        assertThat(failed.await())
            .isInstanceOf(LeaseLostException::class.java)
            .hasMessage("the lease of 'manual' was lost during the work")
    }

    /** An action that does not suspend sees the loss, and its thread need not do anything for it. */
    @Test
    fun loss_isSeenByABusyAction() = runTest {
        val failed =
            failureOf {
                lock.withLock(cancelOnLoss = true) {
                    assertThat(isActive).isTrue()
                    manual.lose()
                    assertThat(isActive).isFalse()
                    calls += it
                }
            }
        runCurrent()
        manual.grant()
        runCurrent()
        manual.release!!.complete(null)
        assertThat(failed.await()).isInstanceOf(LeaseLostException::class.java)
        assertThat(calls).hasSize(1)
    }

    /** A loss before the action: it is not called. */
    @Test
    fun lossBeforeTheAction_callsNothing() = runTest {
        val failed = failureOf { lock.withLock(cancelOnLoss = true) { calls += it } }
        runCurrent()
        manual.lose()
        manual.grant()
        runCurrent()
        manual.release!!.complete(null)
        assertThat(failed.await()).isInstanceOf(LeaseLostException::class.java)
        assertThat(calls).isEmpty()
    }

    /** What the action launches is under the lock, and is cancelled by a loss although the action has returned. */
    @Test
    fun children_areUnderTheLock() = runTest {
        val failed =
            failureOf {
                lock.withLock(cancelOnLoss = true) {
                    launch {
                        delay(1.seconds)
                        calls += it
                    }
                }
            }
        runCurrent()
        manual.grant()
        runCurrent()
        assertThat(manual.release).isNull()
        manual.lose()
        runCurrent()
        manual.release!!.complete(null)
        assertThat(failed.await()).isInstanceOf(LeaseLostException::class.java)
        assertThat(calls).isEmpty()
    }

    private fun TestScope.assertReleasedBeforeTheEnd(call: Job) {
        runCurrent()
        assertThat(call.isCompleted).isFalse()
        manual.release!!.complete(null)
        runCurrent()
        assertThat(call.isCancelled && call.isCompleted).isTrue()
        assertThat(calls).isEmpty()
    }

    private fun TestScope.failureOf(call: suspend () -> Unit): Deferred<Throwable> = async {
        supervisorScope {
            try {
                call()
                AssertionError("nothing was thrown")
            } catch (e: CancellationException) {
                throw e
            } catch (e: Throwable) {
                e
            }
        }
    }

    /** Recovered stack traces are copies, with the original as the cause. */
    private fun Throwable.suppressedInAll(): List<Throwable> =
        generateSequence(this) { it.cause }.flatMap { it.suppressed.asSequence() }.toList()
}
