package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server for a test, with methods to query, freeze and kill it.
 *
 * <p>{@link #start()} is for tests that need any server: it uses the one named by the environment variable {@value
 * #EXTERNAL} if that is set, and otherwise starts one. Tests that configure a server or control its process use {@link
 * #builder()}, which always starts one. {@link RedisBinary} determines the executable.
 *
 * <p>A started server listens on the loopback address only, stores nothing on disk unless configured to, and has a
 * temporary directory that {@link #close()} removes. It does not outlive the JVM, not even one ended by {@code kill
 * -9}.
 *
 * <p>Queries are safe from any thread; the process must be controlled by one thread at a time.
 *
 * <pre>{@code
 * try (RedisServer server = RedisServer.start()) {
 *     server.command("SET", "greeting", "hello");
 * }
 * }</pre>
 */
public final class RedisServer implements AutoCloseable {
    /** The environment variable that names an external server, as in {@code redis://:password@host:6379/0}. */
    public static final String EXTERNAL = "HOLDFAST_TEST_REDIS";

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    private final Endpoint endpoint;
    private final @Nullable ManagedServer managed;
    private final @Nullable Path unixSocket;
    private volatile String version;

    private RedisServer(Endpoint endpoint, @Nullable ManagedServer managed, @Nullable Path unixSocket) {
        this.endpoint = endpoint;
        this.managed = managed;
        this.unixSocket = unixSocket;
        this.version = info("redis_version");
    }

    /**
     * A plain server: the external one if there is one, otherwise a new process. An external server is used in its
     * present state, so a test that means to share it must choose its keys accordingly.
     */
    public static RedisServer start() {
        String external = System.getenv(EXTERNAL);
        return external == null || external.isBlank() ? builder().start() : at(external);
    }

    /** A builder for a server of the test's own. */
    public static RedisServerBuilder builder() {
        return new RedisServerBuilder();
    }

    /** A running server that is controlled elsewhere; the URI has the form of {@value #EXTERNAL}. */
    public static RedisServer at(String uri) {
        return new RedisServer(Endpoint.parse(uri), null, null);
    }

    static RedisServer managed(Endpoint endpoint, ManagedServer managed, @Nullable Path unixSocket) {
        try {
            return new RedisServer(endpoint, managed, unixSocket);
        } catch (RuntimeException e) {
            managed.close();
            throw e;
        }
    }

    /** {@return whether the server's process is the testkit's own, so that it can be paused, killed and restarted} */
    public boolean isManaged() {
        return managed != null;
    }

    /** {@return the server's address with its password, as in {@code redis://:secret@127.0.0.1:20123}} */
    public String uri() {
        return endpoint.uri();
    }

    /** {@return the same address with another local port, such as that of a forwarder} */
    public String uriThrough(int localPort) {
        return endpoint.through(localPort).uri();
    }

    /** {@return the host the server listens on} */
    public String host() {
        return endpoint.host();
    }

    /** {@return the port the server listens on, the same after a restart} */
    public int port() {
        return endpoint.port();
    }

    /**
     * {@return the server's Unix domain socket}
     *
     * @throws IllegalStateException if the server was started without one
     */
    public Path unixSocket() {
        if (unixSocket == null) {
            throw new IllegalStateException("the server on port " + port() + " was started without a Unix socket");
        }
        return unixSocket;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** {@return the version of Redis that the server reports to be, or to be compatible with, as in {@code 7.0.15}} */
    public String version() {
        return version;
    }

    /**
     * {@return the process id of the server, a new one after each restart}
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public long pid() {
        return control().process().pid();
    }

    /**
     * {@return whether the process is alive, paused or not}
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public boolean isRunning() {
        return control().process().isAlive();
    }

    /**
     * {@return whether the process is alive and {@linkplain #pause() paused}}
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public boolean isPaused() {
        return control().process().isPaused();
    }

    /**
     * Freezes the server with SIGSTOP: connections stay open, the kernel accepts bytes, there are no replies. When this
     * returns it no longer runs.
     *
     * @throws UnsupportedOperationException if the server is external, or the platform has no such signal
     */
    public void pause() {
        control().process().pause();
    }

    /**
     * Resumes a paused server, with everything that was sent to it in between.
     *
     * @throws UnsupportedOperationException if the server is external, or the platform has no such signal
     */
    public void resume() {
        control().process().resume();
    }

    /**
     * Ends the server with SIGKILL, paused or not. When this returns it is gone.
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public void kill() {
        control().process().kill();
    }

    /**
     * Shuts the server down with SIGTERM. When this returns it is gone.
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public void stop() {
        control().process().terminate();
    }

    /**
     * Ends the server if it runs and starts it on the same port: with its data if it is {@linkplain
     * RedisServerBuilder#persistent() persistent}, otherwise empty. When this returns it replies.
     *
     * @throws UnsupportedOperationException if the server is external
     * @throws IllegalStateException if the server does not reply in time; the message has its log
     */
    public void restart() {
        control().restart();
    }

    /**
     * {@link #restart()} with another executable: a server that is upgraded where it is.
     *
     * @param binary what it runs from now on
     * @throws UnsupportedOperationException if the server is external
     * @throws IllegalStateException if the server does not reply in time; the message has its log
     */
    public void restart(RedisBinary binary) {
        control().restart(binary);
        version = info("redis_version");
    }

    /**
     * {@link #restart()}, but without the data that the server stored on disk: a machine that comes back without its
     * volume.
     *
     * @throws UnsupportedOperationException if the server is external
     * @throws IllegalStateException if the server does not reply in time; the message has its log
     */
    public void restartEmpty() {
        control().restartEmpty();
    }

    /**
     * {@return the output of the server since its first start}
     *
     * @throws UnsupportedOperationException if the server is external
     */
    public String log() {
        return control().log();
    }

    private ManagedServer control() {
        if (managed == null) {
            throw new UnsupportedOperationException(
                    "the server at " + endpoint + " is external (" + EXTERNAL + "); the testkit cannot control it");
        }
        return managed;
    }

    /**
     * Sends one command on a connection of its own and waits for the reply, for 5 seconds at most.
     *
     * @return a {@code String}, a {@code Long}, a {@code List} of these, or null for nil
     * @throws RedisReplyException if the server replied with an error
     * @throws UncheckedIOException if it could not be reached or did not reply
     */
    public @Nullable Object command(String... arguments) {
        return on(connection -> connection.call(arguments));
    }

    /** Creates a user with exactly these rights, in place of one of that name. */
    public void setUser(String user, String password, String... rights) {
        command(Stream.of(new String[] {"ACL", "SETUSER", user, "reset", "on", ">" + password}, rights)
                .flatMap(Stream::of)
                .toArray(String[]::new));
    }

    private <T extends @Nullable Object> T on(Conversation<T> conversation) {
        try (RespConnection connection = RespConnection.open(endpoint, COMMAND_TIMEOUT)) {
            return conversation.over(connection);
        } catch (IOException e) {
            throw new UncheckedIOException("no reply from " + endpoint, e);
        }
    }

    private interface Conversation<T extends @Nullable Object> {
        T over(RespConnection connection) throws IOException;
    }

    /** {@return all keys, sorted} */
    public List<String> keys() {
        return strings(command("KEYS", "*"));
    }

    /** {@return all channels with subscribers, sorted; sharded channels are not included} */
    public List<String> channels() {
        return strings(command("PUBSUB", "CHANNELS"));
    }

    /** {@return one line of CLIENT LIST for each connection, except for the querying one} */
    public List<String> clients() {
        return on(connection -> {
            String self = "id=" + connection.call("CLIENT", "ID") + " ";
            return Objects.toString(connection.call("CLIENT", "LIST"), "")
                    .lines()
                    .filter(line -> !line.startsWith(self))
                    .toList();
        });
    }

    /** {@return the value of one field of INFO, or the empty string if the server does not report it} */
    public String info(String field) {
        return InfoReply.of(command("INFO")).field(field);
    }

    private static List<String> strings(@Nullable Object reply) {
        return reply instanceof List<?> elements
                ? elements.stream().map(String::valueOf).sorted().toList()
                : List.of();
    }

    /** Ends a started server and removes its directory; leaves an external one alone. A second call does nothing. */
    @Override
    public void close() {
        if (managed != null) {
            managed.close();
        }
    }

    @Override
    public String toString() {
        return "RedisServer[" + endpoint + ", " + version + "]";
    }
}
