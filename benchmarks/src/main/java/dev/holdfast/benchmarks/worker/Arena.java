package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * The environment of a worker.
 *
 * @param uri the address of the Redis to use
 * @param directory the directory that the workers of one measurement share
 * @param worker the number of the worker among them, from 0
 * @param watchdogTimeout the lease of locks that are renewed
 */
public record Arena(String uri, String directory, int worker, Duration watchdogTimeout) implements Serializable {
    private static final int MOST_CONTENDERS = 1_000_000;

    /** Connects a client, and acquires and releases a lock once: some libraries open their connections only then. */
    LockClient connect(LockSystem system) {
        LockClient client = system.connect(uri, watchdogTimeout);
        BlockingLock lock = client.lock("prelude-" + UUID.randomUUID());
        lock.lock();
        lock.unlock();
        return client;
    }

    /** {@return the referee of all workers} */
    Referee referee() {
        return Referee.shared(Path.of(directory, "referee"));
    }

    /** {@return the journal of all workers} */
    public static Journal journal(Path directory) {
        return Journal.shared(directory.resolve("journal"));
    }

    Journal journal() {
        return journal(Path.of(directory));
    }

    /** {@return a number that no other contender of any worker has} */
    long contender(int index) {
        return (long) worker * MOST_CONTENDERS + index + 1;
    }
}
