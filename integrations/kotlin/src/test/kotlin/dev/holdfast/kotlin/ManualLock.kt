package dev.holdfast.kotlin

import dev.holdfast.DistributedLock
import dev.holdfast.Lease
import dev.holdfast.LeaseLoss
import dev.holdfast.LossReason
import java.lang.reflect.Proxy
import java.time.Duration
import java.util.Optional
import java.util.concurrent.CompletableFuture

/**
 * A lock that a test grants, loses and confirms the release of.
 *
 * @param atOnce if present, runs in each attempt, which is granted then, and releases are confirmed at once
 */
internal class ManualLock(private val atOnce: (() -> Unit)? = null) {
    /** One call of the lock for a lease. */
    internal class Attempt(val isLimited: Boolean, val limits: List<Any>) {
        val future = CompletableFuture<Any>()
    }

    val attempts = ArrayList<Attempt>()
    val loss = CompletableFuture<LeaseLoss>()

    /** The release that was begun, if any; a test completes it. */
    var release: CompletableFuture<Void?>? = null
        private set

    val lock: DistributedLock =
        proxy(DistributedLock::class.java) { method, arguments ->
            check(method == "acquireAsync" || method == "tryAcquireAsync") { method }
            attempts += Attempt(method == "tryAcquireAsync", arguments)
            if (atOnce != null) {
                atOnce.invoke()
                grant()
            }
            attempts.last().future
        }

    val lease: Lease =
        proxy(Lease::class.java) { method, _ ->
            when (method) {
                "name" -> "manual"
                "lost" -> loss.minimalCompletionStage()
                "releaseAsync" -> {
                    check(release == null) { "it is released once" }
                    CompletableFuture<Void?>().also {
                        release = it
                        if (atOnce != null) it.complete(null)
                    }
                }
                else -> error(method)
            }
        }

    fun grant() = attempts.single().run { future.complete(if (isLimited) Optional.of(lease) else lease) }

    fun refuse() = attempts.single().future.complete(Optional.empty<Lease>())

    fun lose() = loss.complete(LOSS)

    companion object {
        val LOSS: LeaseLoss = LeaseLoss.of(LossReason.GONE, Duration.ofSeconds(1), Duration.ofSeconds(1))

        private fun <T> proxy(type: Class<T>, answer: (String, List<Any>) -> Any): T =
            type.cast(
                Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { self, method, arguments ->
                    when (method.name) {
                        "toString" -> type.simpleName
                        "hashCode" -> System.identityHashCode(self)
                        "equals" -> self === arguments[0]
                        else -> answer(method.name, arguments.orEmpty().map { it!! })
                    }
                }
            )
    }
}
