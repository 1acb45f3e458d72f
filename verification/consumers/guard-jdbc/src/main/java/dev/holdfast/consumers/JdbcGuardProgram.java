package dev.holdfast.consumers;

import dev.holdfast.guard.jdbc.JdbcGuard;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;

/** Refuses the write of an owner that came too late to a table. */
public final class JdbcGuardProgram {
    private JdbcGuardProgram() {}

    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop");
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (id int primary key, state varchar(20), token bigint)");
            statement.execute("insert into orders values (42, 'open', 0)");
            connection.setAutoCommit(false);
            JdbcGuard guard = JdbcGuard.of("orders", "id", "token");
            check(guard.update(connection, 42, 8, Map.of("state", "shipped")), JdbcGuard.Outcome.WRITTEN);
            check(guard.update(connection, 42, 7, Map.of("state", "open")), JdbcGuard.Outcome.STALE);
        }
    }

    private static void check(JdbcGuard.Outcome outcome, JdbcGuard.Outcome expected) {
        if (outcome != expected) {
            throw new AssertionError("expected " + expected + ", was " + outcome);
        }
    }
}
