package dev.holdfast.spring.locked

import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.flow.Flow
import org.springframework.transaction.annotation.Transactional

typealias Work<T> = suspend () -> T

/** A bean whose functions suspend. */
internal open class SuspendedService {
    open val calls = AtomicInteger()

    @Locked(name = "suspended", fenced = true)
    open suspend fun <T> run(work: Work<T>): T {
        calls.incrementAndGet()
        return work()
    }

    @Locked(name = "suspended", waitFor = "0", fenced = true)
    open suspend fun <T> tryToRun(work: Work<T>): T = run { work() }

    @Locked(name = "suspended", onBusy = OnBusy.SKIP)
    open suspend fun skip(): String? = "ran"

    @Locked(name = "suspended", onBusy = OnBusy.SKIP)
    open suspend fun skipUnit() {
        calls.incrementAndGet()
    }

    @Locked(name = "item", key = "#item.id + '/' + #part")
    open suspend fun keyed(item: Item, part: Int, work: Work<Unit>) = work()

    @Locked(name = "other")
    open suspend fun <T> other(work: Work<T>): T = work()

    @Locked(name = "kept", keepFor = "1m")
    open suspend fun kept() {}

    @Limited(name = "permits", permits = "2")
    @Locked(name = "suspended")
    open suspend fun limited(work: Work<Unit>): Int {
        work()
        return CurrentPermits.number()
    }

    @Locked(name = "suspended")
    @Transactional("reactive")
    open suspend fun <T> inTransaction(work: Work<T>): T = work()

    @Locked(name = "suspended")
    open fun flow(items: Flow<String>): Flow<String> = items
}

internal class Item(val id: String)

/** Functions that could not keep their locks. */
internal open class FlowLater {
    @Locked
    open suspend fun work(items: Flow<String>): Flow<String> = items
}

internal open class DeferredLater {
    @Locked
    open suspend fun work() = CompletableDeferred("x")
}

internal open class SkippedValue {
    @Locked(onBusy = OnBusy.SKIP)
    open suspend fun work() = 1
}

internal open class FinalFunction {
    @Locked
    suspend fun work() {}
}
