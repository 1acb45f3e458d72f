package dev.holdfast.spring.locked

import dev.holdfast.LeaseLostException
import dev.holdfast.testkit.Eventually
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.springframework.transaction.ReactiveTransactionManager
import org.springframework.transaction.TransactionDefinition
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager
import org.springframework.transaction.reactive.GenericReactiveTransaction
import org.springframework.transaction.reactive.TransactionSynchronizationManager
import reactor.core.publisher.Mono

/** The lock of a suspend function is outside of its reactive transaction. */
@Timeout(60)
internal class SuspendTransactionTest {
    private companion object {
        @JvmField
        @RegisterExtension
        val application = LockedApplication()
    }

    private val seen = CopyOnWriteArrayList<String>()

    private fun with(test: suspend (SuspendedService) -> Unit) {
        application.runner()
            .withBean("reactive", ReactiveTransactionManager::class.java, { Recording() })
            .withBean(SuspendedService::class.java)
            .run { context ->
                runBlocking(Dispatchers.Default) { test(context.getBean(SuspendedService::class.java)) }
                Eventually.await().until { !application.isLocked("suspended") }
            }
    }

    private fun see(what: String) {
        seen += (if (application.isLocked("suspended")) "locked at " else "free at ") + what
    }

    /** It begins and is committed under the lock. */
    @Test
    fun committed_underLock() = with { service ->
        val result = service.inTransaction {
            yield()
            see("work")
            "x"
        }
        assertThat(result).isEqualTo("x")
        assertThat(application.isLocked("suspended")).isFalse()
        assertThat(seen).containsExactly("locked at begin", "locked at work", "locked at commit")
    }

    /** A function that throws is rolled back under the lock. */
    @Test
    fun failed_rolledBackUnderLock() = with { service ->
        val failure = runCatching { service.inTransaction<Unit> { throw UnsupportedOperationException() } }
        assertThat(failure.exceptionOrNull()).isInstanceOf(UnsupportedOperationException::class.java)
        assertThat(seen).containsExactly("locked at begin", "locked at rollback")
    }

    /** A transaction whose lock is lost is rolled back. */
    @Test
    fun lost_rolledBack() = with { service ->
        val failure = runCatching {
            service.inTransaction<Unit> {
                application.deleteAndRenew("suspended")
                awaitCancellation()
            }
        }
        assertThat(failure.exceptionOrNull()).isInstanceOf(LeaseLostException::class.java)
        Eventually.await().untilAsserted { assertThat(seen).containsExactly("locked at begin", "free at rollback") }
    }

    /** A transaction manager that records what it does, and whether the lock is held then. */
    private inner class Recording : AbstractReactiveTransactionManager() {
        private fun record(what: String): Mono<Void> = Mono.fromRunnable { see(what) }

        override fun doGetTransaction(synchronizations: TransactionSynchronizationManager) = Any()

        override fun doBegin(
            synchronizations: TransactionSynchronizationManager,
            transaction: Any,
            definition: TransactionDefinition,
        ) = record("begin")

        override fun doCommit(
            synchronizations: TransactionSynchronizationManager,
            status: GenericReactiveTransaction,
        ) = record("commit")

        override fun doRollback(
            synchronizations: TransactionSynchronizationManager,
            status: GenericReactiveTransaction,
        ) = record("rollback")
    }
}
