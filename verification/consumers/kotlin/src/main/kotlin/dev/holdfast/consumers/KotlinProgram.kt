package dev.holdfast.consumers

import dev.holdfast.Holdfast
import dev.holdfast.kotlin.awaitSuspending
import dev.holdfast.kotlin.withLock
import dev.holdfast.kotlin.withLockOrNull
import dev.holdfast.kotlin.withPermit
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Locks, limits and waits in coroutines: argument is the URI of a Redis. */
object KotlinProgram {
    @JvmStatic
    fun main(args: Array<String>): Unit =
        Holdfast.connect(args[0]).use { holdfast -> runBlocking(Dispatchers.Default) { use(holdfast, args[1]) } }

    private suspend fun use(holdfast: Holdfast, prefix: String): Unit = coroutineScope {
        val lock = holdfast.getLock("${prefix}orders")
        val locked: Boolean
        lock.withLock {
            locked = it.isValid
            expect(lock.withLockOrNull { } == null, "a lock that is held is null")
        }
        expect(locked, "the lease is valid in the action")

        val begun = Channel<Unit>(1)
        val cancelled = launch {
            lock.withLock(lease = 60.seconds, cancelOnLoss = true) {
                begun.send(Unit)
                awaitCancellation()
            }
        }
        begun.receive()
        cancelled.cancelAndJoin()
        expect(lock.withLockOrNull { "free" } == "free", "a cancelled coroutine leaves nothing")

        val number = holdfast.getSemaphore("${prefix}workers", 2).withPermit { it.number() }
        expect(number == 0, "a permit has the number of a worker")

        val latch = holdfast.getCountDownLatch("${prefix}latch")
        latch.trySetCountAsync(1).await()
        launch { latch.countDownAsync().await() }
        latch.awaitSuspending()
    }

    private fun expect(condition: Boolean, what: String) {
        if (!condition) throw AssertionError(what)
    }
}
