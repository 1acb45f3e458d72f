package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** The contract on H2. */
final class H2WritersTest extends GuardedWritersContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=10000";

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** A transaction that reads the data as of its beginning cannot update a row that was inserted since. */
    @Override
    boolean mayRefuse(Isolation isolation) {
        return isolation != Isolation.READ_COMMITTED;
    }
}
