package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.ReadersAndWriters;
import dev.holdfast.benchmarks.worker.Threads;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One thread that reads, beside others that hold the read lock: what the server does for it.
 *
 * @param others how many other read holds there are
 */
record BesideReaders(int others) implements Workload {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Override
    public String id() {
        return "read-write-beside-" + others;
    }

    @Override
    public String title() {
        return "A read-write lock, 1 reader beside " + (others == 1 ? "another one" : others + " others");
    }

    @Override
    public String description() {
        return "One thread that acquires and releases a read lock, over and over, while "
                + (others == 1 ? "another" : others)
                + " that it has no client in common with " + (others == 1 ? "holds" : "hold")
                + " it. The other holds are written"
                + " to the lock's hash before, as each library writes them.";
    }

    @Override
    public Metric headline() {
        return Metric.SERVER_CPU;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return ReadWrite.obstacleOf(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        if (system == LockSystem.REDISSON) {
            holdAsRedisson(site.server());
        } else {
            hold(site.server());
        }
        try (Crew crew = site.crew(List.of(ReadersAndWriters.readers(system, 1, Duration.ZERO)))) {
            return ReadWrite.figures(Observation.of(crew, site));
        }
    }

    /** The format is that of {@code docs/design/read-write.md}. */
    private void hold(RedisServer server) {
        if (!(server.command("TIME") instanceof List<?> time)) {
            throw new IllegalStateException("TIME must reply with a list");
        }
        long until = Long.parseLong(time.get(0).toString()) * 1_000 + LONG.toMillis();
        List<String> fields = new ArrayList<>(List.of("mode", "shared", "readers", "0 " + others + " " + until));
        for (int i = 0; i < others; i++) {
            String owner = "other-" + i + ":1";
            Collections.addAll(fields, owner, "1", owner + ":tenure", "1", owner + ":until", until + " ");
        }
        write(server, fields);
    }

    /** A reader of Redisson has a key of its own besides its field. */
    private void holdAsRedisson(RedisServer server) {
        List<String> fields = new ArrayList<>(List.of("mode", "read"));
        for (int i = 0; i < others; i++) {
            String owner = "other-" + i + ":1";
            Collections.addAll(fields, owner, "1");
            server.command("SET", "{" + Threads.HOT + "}:" + owner + ":rwlock_timeout:1", "1", "PX", millis());
        }
        write(server, fields);
    }

    private static void write(RedisServer server, List<String> fields) {
        List<String> command = new ArrayList<>(List.of("HSET", Threads.HOT));
        command.addAll(fields);
        server.command(command.toArray(String[]::new));
        server.command("PEXPIRE", Threads.HOT, millis());
    }

    private static String millis() {
        return Long.toString(LONG.toMillis());
    }
}
