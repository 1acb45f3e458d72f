package dev.holdfast.guard.jdbc;

import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.ABSENT;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.STALE;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.jdbc.JdbcGuard.Outcome;
import dev.holdfast.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of a row: one with a smaller token than that of the last write is refused. */
final class JdbcGuardTest {
    private static final JdbcGuard GUARD = JdbcGuard.of("orders", "id", "token");

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private Connection connection;

    @BeforeEach
    void create() throws SQLException {
        connection = connect();
        execute("create table orders (id int primary key, state varchar(40), token bigint)");
    }

    @AfterEach
    void stop() throws SQLException {
        others.shutdownNow();
        connection.close();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url + ";LOCK_TIMEOUT=10000");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** {@return the row as "state, token"; empty if there is none} */
    private String row() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select state, token from orders where id = 42")) {
            return rows.next() ? rows.getString(1) + ", " + rows.getString(2) : "";
        }
    }

    private Outcome update(long token, String state) throws SQLException {
        return GUARD.update(connection, 42, token, Map.of("state", state));
    }

    private Outcome put(long token, String state) throws SQLException {
        return GUARD.put(connection, 42, token, Map.of("state", state));
    }

    /** The first write, one of a later holder and further ones of the same holder succeed. */
    @Test
    void update_notOlder_isWritten() throws SQLException {
        execute("insert into orders values (42, 'new', 7)");
        assertThat(update(7, "paid")).isEqualTo(WRITTEN);
        assertThat(update(7, "packed")).isEqualTo(WRITTEN);
        assertThat(update(1_795_250_000_000_000L, "shipped")).isEqualTo(WRITTEN);
        assertThat(row()).isEqualTo("shipped, 1795250000000000");
    }

    /** A late write of an earlier holder changes nothing, and has another outcome than one of a missing row. */
    @Test
    void update_older_isStale() throws SQLException {
        execute("insert into orders values (42, 'new', 9)");
        assertThat(update(8, "late")).isEqualTo(STALE);
        assertThat(row()).isEqualTo("new, 9");
        assertThat(GUARD.update(connection, 43, 8, Map.of("state", "late"))).isEqualTo(ABSENT);
        assertThat(GUARD.update(connection, 43, 8, Map.of())).isEqualTo(ABSENT);
    }

    /** A row from before the column was added accepts the first token. */
    @Test
    void update_withoutToken_takesTheFirst() throws SQLException {
        execute("insert into orders values (42, 'old', null)");
        assertThat(update(3, "paid")).isEqualTo(WRITTEN);
        assertThat(update(2, "late")).isEqualTo(STALE);
    }

    /** A missing row is inserted with its token, and guarded from then on. */
    @Test
    void put_inserts() throws SQLException {
        assertThat(put(5, "new")).isEqualTo(WRITTEN);
        assertThat(put(4, "late")).isEqualTo(STALE);
        assertThat(put(6, "paid")).isEqualTo(WRITTEN);
        assertThat(row()).isEqualTo("paid, 6");
    }

    /** If the database refuses an insert for another reason than an existing row, its exception is thrown. */
    @Test
    void put_refused_throws() throws SQLException {
        execute("alter table orders add constraint known check (state in ('new', 'paid'))");
        assertThatThrownBy(() -> put(5, "unknown")).isInstanceOf(SQLException.class);
        assertThat(row()).isEmpty();
    }

    /** A value may be null, and one write may set several columns. */
    @Test
    void values_ofAllKinds() throws SQLException {
        execute("alter table orders add column amount decimal(9, 2)");
        assertThat(GUARD.put(connection, 42, 5, Map.of("state", "new", "amount", 17)))
                .isEqualTo(WRITTEN);
        assertThat(GUARD.update(connection, 42, 5, Collections.singletonMap("state", null)))
                .isEqualTo(WRITTEN);
        assertThat(row()).isEqualTo("null, 5");
    }

    /** A number that cannot be a token is rejected, and nothing is written. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void token_notPositive(long token) throws SQLException {
        assertThatThrownBy(() -> put(token, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be positive, was " + token);
        assertThat(row()).isEmpty();
    }

    /** Names become part of statements, so any other text is rejected. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a; drop table orders", "a--", "a'", "\"a", "a = 1, b"})
    void names_only(String name) {
        assertThatThrownBy(() -> JdbcGuard.of(name, "id", "token")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JdbcGuard.of("orders", "id", name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GUARD.update(connection, 42, 1, Map.of(name, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Names may be quoted, and have a schema. */
    @Test
    void names_quoted() throws SQLException {
        JdbcGuard quoted = JdbcGuard.of("public.\"ORDERS\"", "\"ID\"", "TOKEN");
        assertThat(quoted.put(connection, 42, 5, Map.of("\"STATE\"", "new"))).isEqualTo(WRITTEN);
        assertThat(row()).isEqualTo("new, 5");
    }

    /** An earlier holder that writes while the transaction of a later one is open waits for its end, and is refused. */
    @Test
    void twoAtOnce_theEarlierHolderIsSecond() throws Exception {
        execute("insert into orders values (42, 'new', 1)");
        try (Connection earlier = connect()) {
            connection.setAutoCommit(false);
            earlier.setAutoCommit(false);
            assertThat(update(9, "by the later")).isEqualTo(WRITTEN);
            Future<Outcome> late = others.submit(() -> GUARD.update(earlier, 42, 8, Map.of("state", "late")));
            awaitBlocked();
            connection.commit();

            assertThat(late.get(30, TimeUnit.SECONDS)).isEqualTo(STALE);
            earlier.commit();
        }
        assertThat(row()).isEqualTo("by the later, 9");
    }

    /** A later holder that writes while the transaction of an earlier one is open overwrites it after its end. */
    @Test
    void twoAtOnce_theLaterHolderIsSecond() throws Exception {
        execute("insert into orders values (42, 'new', 1)");
        try (Connection later = connect()) {
            connection.setAutoCommit(false);
            assertThat(update(8, "by the earlier")).isEqualTo(WRITTEN);
            Future<Outcome> waiting = others.submit(() -> GUARD.update(later, 42, 9, Map.of("state", "by the later")));
            awaitBlocked();
            connection.commit();

            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(WRITTEN);
        }
        assertThat(row()).isEqualTo("by the later, 9");
    }

    /** Two transactions insert one row at once: one succeeds, the other finds the row, and can continue. */
    @ParameterizedTest
    @ValueSource(longs = {4, 6})
    void twoAtOnce_insert(long token) throws Exception {
        try (Connection other = connect()) {
            connection.setAutoCommit(false);
            other.setAutoCommit(false);
            assertThat(put(5, "by the first")).isEqualTo(WRITTEN);
            Future<Outcome> second = others.submit(() -> GUARD.put(other, 42, token, Map.of("state", "by the second")));
            awaitBlocked();
            connection.commit();

            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(token > 5 ? WRITTEN : STALE);
            other.commit();
        }
        assertThat(row()).isEqualTo(token > 5 ? "by the second, 6" : "by the first, 5");
    }

    /** One row guards everything else that the transaction writes. */
    @Test
    void update_tokenAlone_guardsTheTransaction() throws SQLException {
        execute("insert into orders values (42, 'new', 9)");
        assertThat(GUARD.update(connection, 42, 8, Map.of())).isEqualTo(STALE);
        assertThat(GUARD.update(connection, 42, 10, Map.of())).isEqualTo(WRITTEN);
        assertThat(row()).isEqualTo("new, 10");
    }

    /** Concurrent writers with many tokens, each on its own connection: in the end the last holder's write remains. */
    @Test
    void writersAtOnce_theLastHolderWins() throws Exception {
        List<Long> tokens =
                new ArrayList<>(LongStream.rangeClosed(1, 400).boxed().toList());
        Collections.shuffle(tokens, new Random(42));
        int writers = 4;
        CountDownLatch start = new CountDownLatch(1);
        List<Callable<Void>> all = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            int first = writer;
            all.add(() -> {
                start.await();
                try (Connection own = connect()) {
                    for (int i = first; i < tokens.size(); i += writers) {
                        long token = tokens.get(i);
                        assertThat(GUARD.put(own, 42, token, Map.of("state", "by " + token)))
                                .isIn(WRITTEN, STALE);
                    }
                }
                return null;
            });
        }
        List<Future<Void>> ends = all.stream().map(others::submit).toList();
        start.countDown();
        for (Future<Void> end : ends) {
            end.get(30, TimeUnit.SECONDS);
        }
        assertThat(row()).isEqualTo("by 400, 400");
    }

    /** Waits until a session of the database waits for the lock of another one. */
    private void awaitBlocked() throws SQLException {
        try (Connection observer = connect();
                Statement statement = observer.createStatement()) {
            Eventually.await().until(() -> {
                try (ResultSet rows = statement.executeQuery(
                        "select count(*) from information_schema.sessions where blocker_id is not null")) {
                    return rows.next() && rows.getInt(1) > 0;
                }
            });
        }
    }
}
