package dev.holdfast.guard.jdbc;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A MariaDB server of the local installation, with a directory and a port of its own, on the loopback interface. */
final class MariaDbServer {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** The number of attempts to start the server: another process may take a port that has just been free. */
    private static final int ATTEMPTS = 5;

    private final Process process;
    private final Path directory;
    private final int port;

    private MariaDbServer(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** {@return a server that accepts connections} Aborts the test, with the reason, where none can be started. */
    static MariaDbServer start() throws IOException, InterruptedException {
        Optional<Path> installer = onPath("mariadb-install-db");
        Optional<Path> program = onPath("mariadbd");
        if (installer.isEmpty() || program.isEmpty()) {
            abort("no MariaDB is installed: mariadb-install-db and mariadbd are not on the PATH");
        }
        Path directory = Files.createTempDirectory("holdfast-mariadb-");
        File log = directory.resolve("log").toFile();
        String user = "--user=" + System.getProperty("user.name");
        String data = "--datadir=" + directory.resolve("data");
        Process installing = new ProcessBuilder(
                        installer.orElseThrow().toString(), "--no-defaults", user, data, "--skip-test-db")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        if (!installing.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS) || installing.exitValue() != 0) {
            installing.destroyForcibly();
            abort("mariadb-install-db failed: " + Files.readString(log.toPath()));
        }
        for (int attempt = 1; ; attempt++) {
            MariaDbServer server = start(program.orElseThrow(), user, data, directory, log);
            await().atMost(LONGEST).until(() -> !server.process.isAlive() || server.accepts());
            if (server.process.isAlive()) {
                return server;
            }
            String reason = Files.readString(log.toPath());
            if (attempt == ATTEMPTS || !reason.contains("Address already in use")) {
                throw new IllegalStateException("mariadbd has ended: " + reason);
            }
        }
    }

    private static MariaDbServer start(Path program, String user, String data, Path directory, File log)
            throws IOException {
        int port = freePort();
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--no-defaults",
                        user,
                        data,
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + directory.resolve("socket"),
                        "--pid-file=" + directory.resolve("pid"),
                        "--skip-grant-tables",
                        "--skip-networking=0")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        return new MariaDbServer(process, directory, port);
    }

    private boolean accepts() {
        try {
            connect().close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static Optional<Path> onPath(String program) {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root");
    }

    /** Ends the server, and leaves nothing behind. */
    void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : List.copyOf(files.sorted(Comparator.reverseOrder()).toList())) {
                Files.delete(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
