package dev.holdfast.guard.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on PostgreSQL, from a Maven artifact; skipped, with the reason, where it cannot be started. */
final class PostgreSqlWritersTest extends GuardedWritersContract {
    private static EmbeddedPostgres server;

    /** Run as root, it starts in a user namespace of its own, since PostgreSQL refuses to run as root. */
    @BeforeAll
    static void start() {
        try {
            server = EmbeddedPostgres.builder().start();
        } catch (IOException | IllegalStateException e) {
            abort("PostgreSQL cannot be started here: " + e);
        }
    }

    @AfterAll
    static void end() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Override
    Connection connect() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    /** A transaction that reads the data as of its beginning cannot update a row that was inserted since. */
    @Override
    boolean mayRefuse(Isolation isolation) {
        return isolation != Isolation.READ_COMMITTED;
    }
}
