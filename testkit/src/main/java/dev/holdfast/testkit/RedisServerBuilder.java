package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Configures the server that a test needs. The result is always a process of the test's own, never the external server:
 * a test that configures a server also means to control it.
 */
public final class RedisServerBuilder {
    private static final int PORT_ATTEMPTS = 5;

    private final List<String> settings = new ArrayList<>();
    private RedisBinary binary = RedisBinary.byDefault();
    private int port;
    private boolean unixSocket;
    private @Nullable String password;
    private @Nullable Endpoint master;
    private ServerKind kind = ServerKind.PLAIN;

    RedisServerBuilder() {}

    /** The executable to start, instead of {@link RedisBinary#byDefault()}. */
    public RedisServerBuilder binary(RedisBinary choice) {
        this.binary = choice;
        return this;
    }

    /**
     * One line of {@code redis.conf}, overriding the testkit's own; values need no quotes. A {@code requirepass} is
     * also put into the server's URI and used for {@link RedisServer#command}.
     */
    public RedisServerBuilder config(String name, String... values) {
        if (name.equals("requirepass")) {
            password = String.join(" ", values);
        }
        settings.add(line(name, values));
        return this;
    }

    /** A fixed port; without it the server gets a free one. */
    public RedisServerBuilder port(int fixed) {
        if (fixed < 1 || fixed > 65_535) {
            throw new IllegalArgumentException("port must be between 1 and 65535, was " + fixed);
        }
        this.port = fixed;
        return this;
    }

    /** Listens on a Unix domain socket too, named by {@link RedisServer#unixSocket()}. */
    public RedisServerBuilder unixSocket() {
        this.unixSocket = true;
        return this;
    }

    /** Makes it a replica of {@code other}; the start then waits until it is in sync. */
    public RedisServerBuilder replicaOf(RedisServer other) {
        this.master = other.endpoint();
        this.kind = ServerKind.REPLICA;
        return this;
    }

    /**
     * Makes it a node of a cluster that consists of this node alone. Its bus port is 10,000 above its port, as in every
     * version, and stays below the range of outgoing connections too. A restarted node keeps its identity.
     */
    public RedisServerBuilder clusterNode() {
        this.kind = ServerKind.CLUSTER_NODE;
        return config("cluster-enabled", "yes");
    }

    /** Makes it a sentinel; what it monitors is set by {@code config("sentinel", ...)}. */
    public RedisServerBuilder sentinel() {
        this.kind = ServerKind.SENTINEL;
        return this;
    }

    /** Writes every change to disk before the reply, so that not even {@link RedisServer#kill()} loses one. */
    public RedisServerBuilder persistent() {
        return config("appendonly", "yes").config("appendfsync", "always");
    }

    /**
     * Starts the server and waits until it replies.
     *
     * @throws IllegalStateException if it does not; the message has the server's log
     */
    public RedisServer start() {
        Path directory = newDirectory();
        try {
            return start(directory);
        } catch (RuntimeException e) {
            ManagedServer.deleteTree(directory);
            throw e;
        }
    }

    /** A reserved port was free, but another program may bind it before the server does; hence the attempts. */
    private RedisServer start(Path directory) {
        for (int attempt = 1; ; attempt++) {
            ReservedPort reserved = port == 0 ? kind.reservePort() : ReservedPort.fixed(port);
            Endpoint endpoint = Endpoint.local(reserved.port(), password);
            try {
                List<String> config = config(endpoint.port(), directory);
                return RedisServer.managed(
                        endpoint,
                        ManagedServer.start(endpoint, reserved, binary, directory, config, kind),
                        unixSocket ? socketIn(directory) : null);
            } catch (ManagedServer.PortTakenException taken) {
                if (port != 0 || attempt == PORT_ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("holdfast-redis-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for a server", e);
        }
    }

    private static Path socketIn(Path directory) {
        return directory.resolve("redis.sock");
    }

    /** The user's settings come last: of two lines for one setting the server uses the later. */
    private List<String> config(int chosenPort, Path directory) {
        List<String> lines = new ArrayList<>(List.of(
                line("bind", "127.0.0.1"),
                line("port", Integer.toString(chosenPort)),
                line("protected-mode", "no"),
                line("dir", directory.toString()),
                line("save", ""),
                line("appendonly", "no"),
                line("repl-diskless-sync", "yes"),
                line("repl-diskless-sync-delay", "0")));
        if (unixSocket) {
            lines.add(line("unixsocket", socketIn(directory).toString()));
        }
        if (master != null) {
            lines.add(line("replicaof", master.host(), Integer.toString(master.port())));
            if (master.password() != null) {
                lines.add(line("masterauth", master.password()));
            }
        }
        lines.addAll(settings);
        return lines;
    }

    private static String line(String name, String... values) {
        return Arrays.stream(values).map(RedisServerBuilder::quoted).collect(Collectors.joining(" ", name + " ", ""));
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
