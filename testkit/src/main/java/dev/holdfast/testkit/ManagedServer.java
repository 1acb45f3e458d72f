package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server that this JVM started: its directory and configuration, which survive a restart, and its process, which does
 * not. Not safe for use by several threads at once, except for queries.
 */
final class ManagedServer {
    private static final Duration READY_WITHIN = Duration.ofSeconds(20);
    private static final Duration PING_EVERY = Duration.ofMillis(5);
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);
    private static final String LOG = "server.log";
    private static final String CONFIG = "redis.conf";

    private final Endpoint endpoint;
    private final ReservedPort reserved;
    private volatile RedisBinary binary;
    private final Path directory;
    private final ServerKind kind;
    private final Thread endOfJvm = new Thread(this::discard, "holdfast-redis-server-cleanup");
    private volatile ServerProcess process;

    private ManagedServer(
            Endpoint endpoint, ReservedPort reserved, RedisBinary binary, Path directory, ServerKind kind) {
        this.endpoint = endpoint;
        this.reserved = reserved;
        this.binary = binary;
        this.directory = directory;
        this.kind = kind;
        this.process = launch();
    }

    /**
     * Starts a server and waits until it replies.
     *
     * @param reserved its port, which is given back when the server is closed, or cannot be started
     * @throws PortTakenException if another process has taken the endpoint's port
     * @throws IllegalStateException if the server does not reply in time; the message has the server's log
     */
    static ManagedServer start(
            Endpoint endpoint,
            ReservedPort reserved,
            RedisBinary binary,
            Path directory,
            List<String> config,
            ServerKind kind) {
        try {
            writeConfig(directory, config);
            ManagedServer server = new ManagedServer(endpoint, reserved, binary, directory, kind);
            server.awaitFirstReady();
            Runtime.getRuntime().addShutdownHook(server.endOfJvm);
            return server;
        } catch (RuntimeException e) {
            reserved.close();
            throw e;
        }
    }

    private static void writeConfig(Path directory, List<String> config) {
        try {
            Files.write(directory.resolve(CONFIG), config);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of a server", e);
        }
    }

    private void awaitFirstReady() {
        try {
            awaitReady();
        } catch (RuntimeException e) {
            process.kill();
            throw e;
        }
    }

    private ServerProcess launch() {
        List<String> command = new ArrayList<>(List.of(
                binary.executable().toString(), directory.resolve(CONFIG).toString()));
        command.addAll(kind.arguments());
        return ServerProcess.start(command, directory, directory.resolve(LOG));
    }

    ServerProcess process() {
        return process;
    }

    void restart() {
        process.kill();
        process = launch();
        awaitReady();
    }

    /** Restarts the server as another version. */
    void restart(RedisBinary another) {
        binary = another;
        restart();
    }

    /** Restarts the server without the data that its directory had. */
    void restartEmpty() {
        process.kill();
        forget();
        restart();
    }

    private void forget() {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> data = files.filter(file -> !file.endsWith(CONFIG) && !file.endsWith(LOG))
                    .toList();
            data.forEach(ManagedServer::deleteTree);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the data of a server", e);
        }
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isReady()) {
            if (process.awaitExit(PING_EVERY)) {
                throw isPortTaken() ? new PortTakenException(endpoint.port()) : failure("ended before it was ready");
            }
            if (System.nanoTime() - deadline > 0) {
                throw failure("was not ready within " + READY_WITHIN);
            }
        }
    }

    /** A PONG alone could come from another server that has taken this port, so the reply must have our process id. */
    private boolean isReady() {
        try (RespConnection connection = RespConnection.open(endpoint, PING_TIMEOUT)) {
            return "PONG".equals(connection.call("PING"))
                    && InfoReply.of(connection.call("INFO", "server"))
                            .field("process_id")
                            .equals(Long.toString(process.pid()))
                    && (kind != ServerKind.REPLICA || isInSync(connection));
        } catch (IOException | RedisReplyException notYet) {
            return false;
        }
    }

    private static boolean isInSync(RespConnection connection) throws IOException {
        InfoReply replication = InfoReply.of(connection.call("INFO", "replication"));
        return "up".equals(replication.field("master_link_status"));
    }

    private boolean isPortTaken() {
        return log().contains("Address already in use");
    }

    private IllegalStateException failure(String what) {
        return new IllegalStateException(binary + " on port " + endpoint.port() + " " + what + "; its log:\n" + log());
    }

    String log() {
        try {
            return Files.readString(directory.resolve(LOG), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log of a server", e);
        }
    }

    /** Ends the process and removes its directory; a second call does nothing. */
    void close() {
        discard();
        try {
            Runtime.getRuntime().removeShutdownHook(endOfJvm);
        } catch (IllegalStateException shuttingDown) {
            // The hook is running already and finds nothing left to do.
        }
    }

    private void discard() {
        process.kill();
        reserved.close();
        deleteTree(directory);
    }

    static void deleteTree(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the directory of a server", e);
        }
    }

    /** Another process listens on the port that this server needs. */
    static final class PortTakenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        PortTakenException(int port) {
            super("port " + port + " is taken by another process");
        }
    }
}
