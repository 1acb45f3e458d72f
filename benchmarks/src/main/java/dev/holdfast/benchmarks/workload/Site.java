package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Task;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The environment of one measurement: a server that is emptied for it, or several that are started for it, and a
 * directory of its own.
 *
 * @param servers the servers, which have no other users
 * @param uris the addresses of the Redis that the workers use: one, or those of several independent servers
 * @param directory the directory that the workers share
 * @param pace the durations and sizes
 * @param classPath the class path of the workers
 */
public record Site(List<RedisServer> servers, List<String> uris, Path directory, Pace pace, String classPath)
        implements AutoCloseable {
    /** The time that a measurement may take in addition to its durations: to start processes, to connect, to stop. */
    private static final Duration SLACK = Duration.ofSeconds(90);

    /** The lease of renewed locks if the workload specifies none: the default of the libraries that renew. */
    private static final Duration DEFAULT_WATCHDOG_TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern REPLICATION = Pattern.compile(" flags=[MS]\\b");

    /** Prepares a measurement with the class path of this process. */
    public static Site prepare(RedisServer server, Pace pace) {
        return prepare(server, pace, System.getProperty("java.class.path"));
    }

    /** Prepares a measurement: the data of the previous one is removed from the server. */
    public static Site prepare(RedisServer server, Pace pace, String classPath) {
        server.command("FLUSHALL");
        try {
            Path directory = Files.createTempDirectory("holdfast-benchmark-");
            return new Site(List.of(server), List.of(server.uri()), directory, pace, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory", e);
        }
    }

    /** {@return the server, if there is only one} */
    RedisServer server() {
        return servers.get(0);
    }

    /** {@return the same with other servers} */
    Site on(List<RedisServer> others, List<String> addresses) {
        return new Site(others, addresses, directory, pace, classPath);
    }

    /** {@return the same with another pace} */
    Site at(Pace other) {
        return new Site(servers, uris, directory, other, classPath);
    }

    /** {@return the number of connections that the servers have, without those between master and replica} */
    int connections() {
        return Math.toIntExact(servers.stream()
                .flatMap(server -> server.clients().stream())
                .filter(client -> !REPLICATION.matcher(client).find())
                .count());
    }

    /** Starts workers that connect to the servers directly. */
    Crew crew(List<? extends Task> tasks) {
        return crew(uris, DEFAULT_WATCHDOG_TIMEOUT, tasks);
    }

    /** Starts workers that connect to this address, which leads to the server. */
    Crew crew(String uri, List<? extends Task> tasks) {
        return crew(List.of(uri), DEFAULT_WATCHDOG_TIMEOUT, tasks);
    }

    /** Starts workers. */
    Crew crew(List<String> addresses, Duration watchdogTimeout, List<? extends Task> tasks) {
        Duration limit = SLACK.plus(pace.warmUp()).plus(pace.window()).plus(pace.longWindow());
        return Crew.prepare(classPath, addresses, directory, watchdogTimeout, limit, List.copyOf(tasks));
    }

    /** Removes the directory. */
    @Override
    public void close() {
        delete(directory);
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
