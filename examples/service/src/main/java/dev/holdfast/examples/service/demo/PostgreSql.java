package dev.holdfast.examples.service.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A PostgreSQL from a Maven artifact, with the tables of the shop, on a port and in a temporary directory of its own. It
 * does not outlive this JVM. PostgreSQL refuses to run as root: started by root on Linux it runs in a user namespace, in
 * which it is not root.
 */
final class PostgreSql implements AutoCloseable {
    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final Tether tether;

    private PostgreSql(EmbeddedPostgres server, Tether tether) {
        this.server = server;
        this.tether = tether;
    }

    /** @throws IllegalStateException if it cannot be started here; the message says what can be done */
    static PostgreSql start() {
        LoggingSystem.get(PostgreSql.class.getClassLoader()).setLogLevel("io.zonky.test", LogLevel.WARN);
        Path directory = newDirectory();
        EmbeddedPostgres server = start(directory);
        PostgreSql started = new PostgreSql(server, Tether.of(pid(directory), "INT")); // a fast shutdown
        new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).execute(started.dataSource());
        return started;
    }

    private static EmbeddedPostgres start(Path directory) {
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(directory)
                    .setRegisterShutdownHook(false)
                    .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                    .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException(
                    "PostgreSQL cannot be started. It does not run as root: use another user, or, as root on Linux, allow"
                            + " user namespaces (\"unshare -U true\" must succeed)",
                    e);
        }
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("holdfast-postgres-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for PostgreSQL", e);
        }
    }

    /** The process that was started has only started the server, which writes its own id into this file. */
    private static long pid(Path directory) {
        try {
            return Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid"))
                    .get(0)
                    .strip());
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL has not written its process id", e);
        }
    }

    DataSource dataSource() {
        return server.getPostgresDatabase();
    }

    String jdbcUrl() {
        return server.getJdbcUrl(USER, USER);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL cannot be stopped", e);
        } finally {
            tether.close();
        }
    }
}
