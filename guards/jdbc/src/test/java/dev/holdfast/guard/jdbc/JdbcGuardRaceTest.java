package dev.holdfast.guard.jdbc;

import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.ABSENT;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.STALE;
import static dev.holdfast.guard.jdbc.JdbcGuard.Outcome.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of a write if the row changes between its statements, or the driver has peculiarities. */
final class JdbcGuardRaceTest {
    private static final JdbcGuard GUARD = JdbcGuard.of("orders", "id", "token");

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Connection connection;
    private Connection another;

    @BeforeEach
    void create() throws SQLException {
        connection = DriverManager.getConnection(url);
        another = DriverManager.getConnection(url);
        byAnother("create table orders (id int primary key, state varchar(40), token bigint)");
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        another.close();
    }

    private void byAnother(String sql) throws SQLException {
        try (Statement statement = another.createStatement()) {
            statement.execute(sql);
        }
    }

    private String row() throws SQLException {
        try (Statement statement = another.createStatement();
                ResultSet rows = statement.executeQuery("select state, token from orders where id = 42")) {
            return rows.next() ? rows.getString(1) + ", " + rows.getString(2) : "";
        }
    }

    /** {@return a connection; another one executes this just before it queries the reason why nothing was written} */
    private Connection overtakenBy(String sql) {
        return Interposed.before("select", connection, () -> byAnother(sql));
    }

    private static JdbcGuard.Outcome put(Connection by, long token) throws SQLException {
        return GUARD.put(by, 42, token, Map.of("state", "by " + token));
    }

    private static JdbcGuard.Outcome update(Connection by, long token) throws SQLException {
        return GUARD.update(by, 42, token, Map.of("state", "by " + token));
    }

    /** A row that a late writer inserts just before the present holder's write is overwritten. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void put_aLateInsertBetween_isOverwritten(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        Connection holder = Interposed.before(
                "select", connection, () -> assertThat(put(another, 8)).isEqualTo(WRITTEN));

        assertThat(put(holder, 9)).isEqualTo(WRITTEN);

        connection.setAutoCommit(true);
        assertThat(row()).isEqualTo("by 9, 9");
    }

    /** A row that is inserted in between, without a token or with one that is not larger, is written. */
    @ParameterizedTest
    @ValueSource(strings = {"8", "9", "null"})
    void update_aRowInsertedBetween_isWritten(String token) throws SQLException {
        Connection holder = Interposed.before(
                "select", connection, () -> byAnother("merge into orders key (id) values (42, 'else', " + token + ")"));

        assertThat(update(holder, 9)).isEqualTo(WRITTEN);

        assertThat(row()).isEqualTo("by 9, 9");
    }

    /** A row that a later holder inserts in between is kept. */
    @Test
    void put_aLaterInsertBetween_isStale() throws SQLException {
        assertThat(put(overtakenBy("merge into orders key (id) values (42, 'by 9', 9)"), 8))
                .isEqualTo(STALE);
        assertThat(row()).isEqualTo("by 9, 9");
    }

    /** A row that was deleted before the query is absent, whatever token it had. */
    @Test
    void update_aRowDeletedBetween_isAbsent() throws SQLException {
        byAnother("insert into orders values (42, 'by 9', 9)");
        assertThat(update(overtakenBy("delete from orders"), 8)).isEqualTo(ABSENT);
    }

    /** If the row is inserted and deleted again and again, the update throws, and nothing was written. */
    @Test
    void update_rowInsertedAndDeleted_throws() throws SQLException {
        Connection unlucky = Interposed.before(
                "update",
                overtakenBy("merge into orders key (id) values (42, 'by 8', 8)"),
                () -> byAnother("delete from orders"));

        assertThatThrownBy(() -> update(unlucky, 9))
                .isInstanceOf(SQLTransientException.class)
                .hasMessageContaining("nothing was written");

        assertThat(row()).isEqualTo("by 8, 8");
    }

    /** If the database supports "for update", the query uses it: a plain query could return an outdated row. */
    @Test
    void update_withSelectForUpdate_readsWithIt() throws SQLException {
        byAnother("insert into orders values (42, 'by 9', 9)");
        AtomicInteger reads = new AtomicInteger();
        Connection watched = Interposed.before(
                "select token from orders where id = ? for update", connection, reads::incrementAndGet);

        assertThat(update(watched, 8)).isEqualTo(STALE);
        assertThat(reads.get()).isEqualTo(1);
    }

    /** In a transaction that has read an older row and can read no newer one, an update throws and writes nothing. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void update_olderRowSeenBefore_throws(int isolation) throws SQLException {
        byAnother("insert into orders values (42, 'by 5', 5)");
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select * from orders")) {
            assertThat(rows.next()).isTrue();
        }
        byAnother("update orders set state = 'by 9', token = 9 where id = 42");

        assertThatThrownBy(() -> update(connection, 8)).isInstanceOf(SQLTransactionRollbackException.class);

        connection.commit();
        assertThat(row()).isEqualTo("by 9, 9");
    }

    /** If the database does not support "for update", the query does without it. */
    @Test
    void update_withoutSelectForUpdate_isStale() throws SQLException {
        byAnother("insert into orders values (42, 'by 9', 9)");
        DatabaseMetaData plain = Interposed.at(
                "supportsSelectForUpdate", DatabaseMetaData.class, connection.getMetaData(), call -> false);
        Connection without = Interposed.at(
                "getMetaData",
                Connection.class,
                Interposed.before("select token from orders where id = ? for update", connection, () -> {
                    throw new SQLSyntaxErrorException("for update");
                }),
                call -> plain);

        assertThat(update(without, 8)).isEqualTo(STALE);
    }

    /** A write of unchanged values is a write, even with a driver that counts only changed rows. */
    @Test
    void update_driverCountsChanges_isWritten() throws SQLException {
        byAnother("insert into orders values (42, 'by 9', 9)");
        Connection counting = Interposed.at("prepareStatement", Connection.class, connection, prepare -> {
            PreparedStatement statement = prepare.prepare();
            return Interposed.at("executeUpdate", PreparedStatement.class, statement, execute -> {
                String before = row();
                execute.pass();
                return row().equals(before) ? 0 : 1;
            });
        });

        assertThat(update(counting, 9)).isEqualTo(WRITTEN);
        assertThat(update(counting, 8)).isEqualTo(STALE);
        assertThat(update(counting, 10)).isEqualTo(WRITTEN);
    }

    /** A write releases its savepoint, so a transaction of many writes does not accumulate them. */
    @Test
    void put_releasesItsSavepoint() throws SQLException {
        connection.setAutoCommit(false);
        List<Savepoint> set = new ArrayList<>();
        Connection watched = Interposed.at("setSavepoint", Connection.class, connection, call -> {
            Savepoint savepoint = (Savepoint) call.pass();
            set.add(savepoint);
            return savepoint;
        });

        assertThat(put(watched, 9)).isEqualTo(WRITTEN);

        assertThat(set).hasSize(1);
        assertThatThrownBy(() -> connection.rollback(set.get(0))).isInstanceOf(SQLException.class);
    }

    /** A write succeeds with a driver that cannot release a savepoint. */
    @Test
    void put_driverWithoutRelease_isWritten() throws SQLException {
        connection.setAutoCommit(false);
        Connection without = Interposed.at("releaseSavepoint", Connection.class, connection, call -> {
            throw new SQLFeatureNotSupportedException("no");
        });

        assertThat(put(without, 9)).isEqualTo(WRITTEN);

        connection.commit();
        assertThat(row()).isEqualTo("by 9, 9");
    }

    /** A null value is not sent as a parameter, because a driver may not know its type. */
    @Test
    void values_null_isNoParameter() throws SQLException {
        Connection strict = Interposed.at("prepareStatement", Connection.class, connection, prepare -> {
            PreparedStatement statement = prepare.prepare();
            return Interposed.at("setObject", PreparedStatement.class, statement, set -> {
                if (set.argument(1).isEmpty()) {
                    throw new SQLDataException("a null without a type");
                }
                return set.pass();
            });
        });
        Map<String, String> nothing = Collections.singletonMap("state", null);

        assertThat(GUARD.put(strict, 42, 5, nothing)).isEqualTo(WRITTEN);
        assertThat(GUARD.update(strict, 42, 6, nothing)).isEqualTo(WRITTEN);

        assertThat(row()).isEqualTo("null, 6");
    }

    /** Values for the columns of the key and the token are rejected, however the names are spelt. */
    @ParameterizedTest
    @ValueSource(strings = {"token", "TOKEN", "\"TOKEN\"", "id", "\"ID\"", "orders.token", "orders.\"ID\""})
    void values_ofTheGuardsOwnColumns_areRefused(String column) throws SQLException {
        assertThatThrownBy(() -> GUARD.put(connection, 42, 5, Map.of(column, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(column);
        assertThat(row()).isEmpty();
    }
}
