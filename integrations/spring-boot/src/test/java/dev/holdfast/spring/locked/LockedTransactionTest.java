package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.Eventually;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A lock is held until what was written under it is visible, and a transaction whose lock was lost is rolled back. */
final class LockedTransactionTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final ApplicationContextRunner runner = application.runner().withBean(Ledger.class);

    private static TransactionTemplate transactions(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static void assertFree() {
        assertThat(application.isLocked("ledger:1")).isFalse();
    }

    /** The lock is acquired before the transaction that the method opens, and released after its commit. */
    @Test
    void ownTransaction_isInside() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            ledger.addInTransaction(1);
            assertThat(ledger.seen()).containsExactly("locked in transaction", "locked after commit");
            assertThat(ledger.rows()).isEqualTo(1);
            assertFree();
        });
    }

    /** The transaction begins under the lock, so it reads what the last owner has committed, and waits with no connection. */
    @Test
    void ownTransaction_beginsUnderLock() {
        List<Boolean> locked = new CopyOnWriteArrayList<>();
        TransactionExecutionListener listener = new TransactionExecutionListener() {
            @Override
            public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
                locked.add(application.isLocked("ledger:1"));
            }
        };
        runner.withBean(TransactionExecutionListener.class, () -> listener).run(context -> {
            context.getBean(Ledger.class).addInTransaction(1);
            assertThat(locked).containsExactly(true);
        });
    }

    /** A transaction that the method opens is rolled back if the lock was lost before its commit. */
    @Test
    void ownTransaction_lost() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.addInTransactionAndLose(1)).isInstanceOf(LeaseLostException.class);
            assertThat(ledger.rows()).isZero();
            ledger.addInTransaction(1);
            assertFree();
        });
    }

    /** Spring commits the transaction of a method when it returns, though its lock belongs to the future. */
    @Test
    void ownTransaction_ofFuture_lost() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.addLater(1)).isInstanceOf(LeaseLostException.class);
            assertThat(ledger.rows()).isZero();
            ledger.addInTransaction(1);
            assertFree();
        });
    }

    /** In a transaction of the caller's, the lock is held until that has been committed. */
    @Test
    void openTransaction_committed() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            transactions(context).executeWithoutResult(status -> {
                ledger.add(1);
                ledger.add(1);
                assertThat(application.isLocked("ledger:1")).isTrue();
                afterCommit(() -> ledger.see("after commit"));
            });
            assertThat(ledger.seen()).containsExactly("locked after commit");
            assertThat(ledger.rows()).isEqualTo(2);
            assertFree();
        });
    }

    /** A transaction of the caller's that is rolled back releases the lock as well. */
    @Test
    void openTransaction_rolledBack() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            transactions(context).executeWithoutResult(status -> {
                ledger.add(1);
                status.setRollbackOnly();
                assertThat(application.isLocked("ledger:1")).isTrue();
            });
            assertThat(ledger.rows()).isZero();
            assertFree();
            assertThatThrownBy(() -> transactions(context).executeWithoutResult(status -> ledger.fail(1)))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertFree();
        });
    }

    /** A transaction of the caller's is rolled back if the lock was lost before its commit, and logs no other error. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void openTransaction_lost(CapturedOutput output) {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> transactions(context).executeWithoutResult(status -> {
                        ledger.add(1);
                        application.lose("ledger:1");
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(ledger.rows()).isZero();
            Eventually.await().untilAsserted(() -> assertThat(output).contains("was lost"));
            assertThat(output).doesNotContain("ERROR");
            ledger.add(1);
            assertFree();
        });
    }

    /** The hold is verified after the callbacks of others, which may still write before the commit. */
    @Test
    void openTransaction_lostBeforeCommit() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> transactions(context).executeWithoutResult(status -> {
                        ledger.add(1);
                        beforeCommit(() -> application.lose("ledger:1"));
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(ledger.rows()).isZero();
            assertFree();
        });
    }

    /** A loss that only the release reveals comes after the commit: Spring logs it as an error. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void openTransaction_lostUnnoticed(CapturedOutput output) {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            transactions(context).executeWithoutResult(status -> {
                ledger.add(1);
                application.delete("ledger:1");
            });
            assertThat(ledger.rows()).isEqualTo(1);
            assertThat(output).contains("ERROR").contains(LeaseLostException.class.getName());
            assertFree();
        });
    }

    /** After the loss, the same lock is not acquired anew in the same transaction, which would commit both writes. */
    @Test
    void openTransaction_lostAndCalledAgain() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatThrownBy(() -> transactions(context).executeWithoutResult(status -> {
                        ledger.add(1);
                        application.lose("ledger:1");
                        assertThatThrownBy(() -> ledger.add(1)).isInstanceOf(LeaseLostException.class);
                        assertFree();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(ledger.rows()).isZero();
            ledger.add(1);
            assertFree();
        });
    }

    /** A lock that is busy ends no transaction by itself, and leaves nothing to be released. */
    @Test
    void openTransaction_busy() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            application.rival().getLock("ledger:2").runLocked(() -> transactions(context)
                    .executeWithoutResult(status -> {
                        ledger.add(1);
                        assertThatThrownBy(() -> ledger.add(2)).isInstanceOf(LockBusyException.class);
                    }));
            assertThat(ledger.rows()).isEqualTo(1);
            assertFree();
            ledger.add(2);
            assertThat(ledger.rows()).isEqualTo(2);
        });
    }

    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    private static void beforeCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return 0;
            }

            @Override
            public void beforeCommit(boolean readOnly) {
                action.run();
            }
        });
    }

    static class Ledger {
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private final JdbcTemplate database;

        Ledger(DataSource source) {
            database = new JdbcTemplate(source);
            database.execute("create table entry (account int)");
        }

        @Locked(name = "ledger", key = "#account", waitFor = "0")
        public void add(int account) {
            database.update("insert into entry values (?)", account);
        }

        @Locked(name = "ledger", key = "#account")
        @Transactional
        public void addInTransaction(int account) {
            database.update("insert into entry values (?)", account);
            see("in transaction");
            afterCommit(() -> see("after commit"));
        }

        @Locked(name = "ledger", key = "#account")
        @Transactional
        public void addInTransactionAndLose(int account) {
            database.update("insert into entry values (?)", account);
            application.lose("ledger:1");
        }

        @Locked(name = "ledger", key = "#account")
        @Transactional
        public CompletableFuture<@Nullable Void> addLater(int account) {
            addInTransactionAndLose(account);
            return CompletableFuture.completedFuture(null);
        }

        @Locked(name = "ledger", key = "#account")
        public void fail(int account) {
            throw new UnsupportedOperationException("account " + account);
        }

        public List<String> seen() {
            return seen;
        }

        public void see(String when) {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            seen.add((application.isLocked("ledger:1") ? "locked " : "free ") + when);
        }

        public int rows() {
            Integer rows = database.queryForObject("select count(*) from entry", Integer.class);
            return rows == null ? 0 : rows;
        }
    }
}
