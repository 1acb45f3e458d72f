package dev.holdfast.guard.jdbc;

import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.ABSENT;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.STALE;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.jdbc.JdbcGuard.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guarantees of a guard on every database, at every isolation level: two concurrent writers, one of them late. */
abstract class GuardedWritersContract {
    private static final JdbcGuard GUARD = JdbcGuard.of("orders", "id", "token");
    private static final int ROUNDS = 20;
    private static final int LONGEST_SECONDS = 30;

    /** The isolation levels, as JDBC names them. */
    enum Isolation {
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        final int level;

        Isolation(int level) {
            this.level = level;
        }
    }

    /** How a write ended: with an outcome, or with an exception of the database. */
    private record End(@Nullable Outcome outcome, @Nullable SQLException refusal) {}

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private Connection holder;
    private Connection late;

    /** {@return a connection of its own to the database under test} */
    abstract Connection connect() throws SQLException;

    /** {@return whether the database may refuse one of two first writes in transactions of this level} */
    abstract boolean mayRefuse(Isolation isolation);

    @BeforeEach
    void create() throws SQLException {
        holder = connect();
        late = connect();
        execute("drop table if exists orders");
        execute("create table orders (id int primary key, state varchar(40), token bigint)");
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(LONGEST_SECONDS, TimeUnit.SECONDS)).isTrue();
        holder.close();
        late.close();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = holder.createStatement()) {
            statement.execute(sql);
        }
    }

    private String row(int id) throws SQLException {
        try (Connection reader = connect();
                Statement statement = reader.createStatement();
                ResultSet rows = statement.executeQuery("select state, token from orders where id = " + id)) {
            return rows.next() ? rows.getString(1) + ", " + rows.getString(2) : "";
        }
    }

    private static Outcome put(Connection by, int id, long token) throws SQLException {
        return GUARD.put(by, id, token, Map.of("state", "by " + token));
    }

    private static void begin(Connection connection, Isolation isolation) throws SQLException {
        connection.setTransactionIsolation(isolation.level);
        connection.setAutoCommit(false);
    }

    /** A transaction of one put: committed, or rolled back if the database refused the put. */
    private static End transaction(Connection by, int id, long token) throws SQLException {
        try {
            Outcome outcome = put(by, id, token);
            by.commit();
            return new End(outcome, null);
        } catch (SQLException e) {
            by.rollback();
            return new End(null, e);
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /**
     * Of two concurrent first writes, that of the later holder remains. The database may refuse one of them, never
     * both; the refused one has written nothing, and can be repeated.
     */
    @ParameterizedTest
    @EnumSource
    void put_twoFirstWriters_laterHolderWins(Isolation isolation) throws Exception {
        begin(holder, isolation);
        begin(late, isolation);
        for (int id = 1; id <= ROUNDS; id++) {
            CyclicBarrier together = new CyclicBarrier(2);
            Future<End> nine = threads.submit(atOnce(together, holder, id, 9));
            Future<End> eight = threads.submit(atOnce(together, late, id, 8));

            assertEnds(isolation, id, get(nine), get(eight));
        }
    }

    private static Callable<End> atOnce(CyclicBarrier together, Connection by, int id, long token) {
        return () -> {
            together.await(LONGEST_SECONDS, TimeUnit.SECONDS);
            return transaction(by, id, token);
        };
    }

    /** The same if both have found no row before either of them inserts it, which is the worst case. */
    @ParameterizedTest
    @EnumSource
    void put_bothFoundNoRow_laterHolderWins(Isolation isolation) throws Exception {
        begin(holder, isolation);
        begin(late, isolation);
        CyclicBarrier bothRead = new CyclicBarrier(2);
        Interposed.Before wait = once(() -> bothRead.await(LONGEST_SECONDS, TimeUnit.SECONDS));
        Interposed.Before alsoWait = once(() -> bothRead.await(LONGEST_SECONDS, TimeUnit.SECONDS));
        Future<End> nine = threads.submit(() -> transaction(Interposed.before("insert", holder, wait), 1, 9));
        Future<End> eight = threads.submit(() -> transaction(Interposed.before("insert", late, alsoWait), 1, 8));

        assertEnds(isolation, 1, get(nine), get(eight));
    }

    /** Runs the action the first time only: a repeated insert must not wait for a writer that has continued. */
    private static Interposed.Before once(Interposed.Before action) {
        boolean[] done = new boolean[1];
        return () -> {
            if (!done[0]) {
                done[0] = true;
                action.run();
            }
        };
    }

    private void assertEnds(Isolation isolation, int id, End nine, End eight) throws SQLException {
        if (nine.refusal() == null && eight.refusal() == null) {
            assertThat(nine.outcome()).isEqualTo(WRITTEN);
            assertThat(eight.outcome()).isIn(WRITTEN, STALE);
        } else {
            assertThat(nine.refusal() == null || eight.refusal() == null)
                    .as("one of them wrote: %s, %s", nine, eight)
                    .isTrue();
            SQLException refusal = nine.refusal() == null ? eight.refusal() : nine.refusal();
            assertThat(mayRefuse(isolation)).as("refused: %s", refusal).isTrue();
            repeat(id, nine, eight);
        }
        assertThat(row(id)).isEqualTo("by 9, 9");
    }

    /** A refused write has left nothing behind. When it is repeated, it ends as if it had come second. */
    private void repeat(int id, End nine, End eight) throws SQLException {
        if (nine.refusal() != null) {
            assertThat(row(id)).isEqualTo("by 8, 8");
            assertThat(transaction(holder, id, 9).outcome()).isEqualTo(WRITTEN);
        } else {
            assertThat((Throwable) eight.refusal()).isNotNull();
            assertThat(row(id)).isEqualTo("by 9, 9");
            assertThat(transaction(late, id, 8).outcome()).isEqualTo(STALE);
        }
    }

    /** Without a surrounding transaction, a first write is never refused. */
    @Test
    void put_autoCommit_twoFirstWriters_areNeverRefused() throws Exception {
        for (int id = 1; id <= ROUNDS; id++) {
            int row = id;
            CyclicBarrier together = new CyclicBarrier(2);
            Future<Outcome> nine = threads.submit(() -> {
                together.await(LONGEST_SECONDS, TimeUnit.SECONDS);
                return put(holder, row, 9);
            });
            Future<Outcome> eight = threads.submit(() -> {
                together.await(LONGEST_SECONDS, TimeUnit.SECONDS);
                return put(late, row, 8);
            });

            assertThat(get(nine)).isEqualTo(WRITTEN);
            assertThat(get(eight)).isIn(WRITTEN, STALE);
            assertThat(row(row)).isEqualTo("by 9, 9");
        }
    }

    /** A transaction in which a put was stale, or found a row that was inserted meanwhile, can continue. */
    @ParameterizedTest
    @ValueSource(longs = {8, 9})
    void put_rowOfAnother_leavesTheTransactionUsable(long token) throws SQLException {
        assertThat(put(late, 1, 9)).isEqualTo(WRITTEN);
        begin(holder, Isolation.READ_COMMITTED);

        assertThat(put(holder, 1, token)).isEqualTo(token < 9 ? STALE : WRITTEN);
        assertThat(put(holder, 2, token)).isEqualTo(WRITTEN);
        holder.commit();

        assertThat(row(2)).isEqualTo("by " + token + ", " + token);
    }

    /** The outcome of an update distinguishes a write, a stale token and a missing row. */
    @Test
    void update_distinguishesTheReasons() throws SQLException {
        assertThat(GUARD.update(holder, 1, 9, Map.of())).isEqualTo(ABSENT);
        assertThat(put(holder, 1, 9)).isEqualTo(WRITTEN);
        assertThat(GUARD.update(late, 1, 8, Map.of("state", "late"))).isEqualTo(STALE);
        assertThat(GUARD.update(holder, 1, 9, Map.of("state", "by 9"))).isEqualTo(WRITTEN);
        assertThat(row(1)).isEqualTo("by 9, 9");
    }

    /** A write during an open transaction of a later holder waits for its end, and is stale then. */
    @Test
    void update_laterHolderUncommitted_waitsAndIsStale() throws Exception {
        assertThat(put(holder, 1, 7)).isEqualTo(WRITTEN);
        begin(holder, Isolation.READ_COMMITTED);
        assertThat(put(holder, 1, 9)).isEqualTo(WRITTEN);
        Future<Outcome> waiting = threads.submit(() -> put(late, 1, 8));
        holder.commit();

        assertThat(get(waiting)).isEqualTo(STALE);
        assertThat(row(1)).isEqualTo("by 9, 9");
    }
}
