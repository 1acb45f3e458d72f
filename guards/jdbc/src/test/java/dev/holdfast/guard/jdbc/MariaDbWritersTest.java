package dev.holdfast.guard.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on MariaDB; skipped, with the reason, where none is installed. */
final class MariaDbWritersTest extends GuardedWritersContract {
    private static MariaDbServer server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = MariaDbServer.start();
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        if (server != null) {
            server.close();
        }
    }

    @Override
    Connection connect() throws SQLException {
        return server.connect();
    }

    /** At this level each read locks the gap into which the row is inserted, so both writers wait for each other. */
    @Override
    boolean mayRefuse(Isolation isolation) {
        return isolation == Isolation.SERIALIZABLE;
    }
}
