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
 * Where one measurement is made: a server that is emptied for it, and a directory of its own.
 *
 * @param server the server, which nobody else uses
 * @param directory what the workers share
 * @param pace how long and how much
 * @param classPath what the workers run
 */
public record Site(RedisServer server, Path directory, Pace pace, String classPath) implements AutoCloseable {
    /** What a measurement may take beyond what it is meant to: to start processes, to connect, to stop. */
    private static final Duration SLACK = Duration.ofSeconds(90);

    /** The lease of renewed locks where the workload does not ask for another: the default of those that renew. */
    private static final Duration DEFAULT_WATCHDOG_TIMEOUT = Duration.ofSeconds(30);

    /** Prepares a measurement of what this process itself was built with. */
    public static Site prepare(RedisServer server, Pace pace) {
        return prepare(server, pace, System.getProperty("java.class.path"));
    }

    /** Prepares a measurement: the server keeps nothing of the one before. */
    public static Site prepare(RedisServer server, Pace pace, String classPath) {
        server.command("FLUSHALL");
        server.command("SCRIPT", "FLUSH");
        try {
            return new Site(server, Files.createTempDirectory("holdfast-benchmark-"), pace, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory", e);
        }
    }

    /** Starts workers on the server itself. */
    Crew crew(List<? extends Task> tasks) {
        return crew(server.uri(), tasks);
    }

    /** Starts workers on what stands in front of the server. */
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
