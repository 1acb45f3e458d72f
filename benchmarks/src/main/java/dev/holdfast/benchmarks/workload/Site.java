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
import java.util.stream.Stream;

/**
 * The environment of one measurement: a server that is emptied for it, and a directory of its own.
 *
 * @param server the server, which has no other users
 * @param directory the directory that the workers share
 * @param pace the durations and sizes
 * @param classPath the class path of the workers
 */
public record Site(RedisServer server, Path directory, Pace pace, String classPath) implements AutoCloseable {
    /** The time that a measurement may take in addition to its durations: to start processes, to connect, to stop. */
    private static final Duration SLACK = Duration.ofSeconds(90);

    /** The lease of renewed locks if the workload specifies none: the default of the libraries that renew. */
    private static final Duration DEFAULT_WATCHDOG_TIMEOUT = Duration.ofSeconds(30);

    /** Prepares a measurement with the class path of this process. */
    public static Site prepare(RedisServer server, Pace pace) {
        return prepare(server, pace, System.getProperty("java.class.path"));
    }

    /** Prepares a measurement: the data of the previous one is removed from the server. */
    public static Site prepare(RedisServer server, Pace pace, String classPath) {
        server.command("FLUSHALL");
        server.command("SCRIPT", "FLUSH");
        try {
            return new Site(server, Files.createTempDirectory("holdfast-benchmark-"), pace, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory", e);
        }
    }

    /** Starts workers that connect to the server directly. */
    Crew crew(List<? extends Task> tasks) {
        return crew(server.uri(), tasks);
    }

    /** Starts workers that connect to this address, which leads to the server. */
    Crew crew(String uri, List<? extends Task> tasks) {
        return crew(uri, DEFAULT_WATCHDOG_TIMEOUT, tasks);
    }

    /** Starts workers. */
    Crew crew(String uri, Duration watchdogTimeout, List<? extends Task> tasks) {
        Duration limit = SLACK.plus(pace.warmUp()).plus(pace.window()).plus(pace.longWindow());
        return Crew.prepare(classPath, uri, directory, watchdogTimeout, limit, List.copyOf(tasks));
    }

    /** Removes the directory. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
