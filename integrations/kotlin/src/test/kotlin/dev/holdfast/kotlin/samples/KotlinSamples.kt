package dev.holdfast.kotlin.samples

import dev.holdfast.Holdfast
import dev.holdfast.kotlin.withLock
import dev.holdfast.kotlin.withLockOrNull
import java.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await

/** The samples of the documentation, in an application. */
class KotlinSamples(private val holdfast: Holdfast, private val carrier: Carrier) {
    class Receipt

    class Report

    fun interface Carrier {
        suspend fun ship(order: String): Receipt
    }

    var rows = 0

    private fun insert(row: String) {
        rows += row.length
    }

    private fun writeReport(): Report = Report()

    suspend fun ship(order: String): Receipt = holdfast.getLock("orders:$order").withLock { carrier.ship(order) }

    suspend fun report(): Report? = holdfast.getLock("report").withLockOrNull(waitFor = 2.seconds) { writeReport() }

    suspend fun importAll(rows: List<String>) {
        holdfast.getLock("import").withLock(cancelOnLoss = true) {
            for (row in rows) {
                ensureActive()
                insert(row)
            }
        }
    }

    suspend fun hourly(): Report? = holdfast.getLock("hourly").withLockOrNull { lease ->
        writeReport().also { lease.closeAfterAsync(Duration.ofMinutes(50)).await() }
    }
}
