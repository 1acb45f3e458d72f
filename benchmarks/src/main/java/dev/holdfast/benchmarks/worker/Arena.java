package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Baton;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.system.Member;
import dev.holdfast.benchmarks.system.MultiClient;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The environment of a worker.
 *
 * @param uris the address of the Redis to use, or those of several independent ones
 * @param directory the directory that the workers of one measurement share
 * @param worker the number of the worker among them, from 0
 * @param watchdogTimeout the lease of locks that are renewed
 */
public record Arena(List<String> uris, String directory, int worker, Duration watchdogTimeout) implements Serializable {
    private static final int MOST_CONTENDERS = 1_000_000;

    /** Connects a client, and acquires and releases a lock once: some libraries open their connections only then. */
    LockClient connect(LockSystem system) {
        LockClient client = system.connect(uris.get(0), watchdogTimeout);
        pass(client.lock("prelude-" + UUID.randomUUID()));
        return client;
    }

    /** Connects a client to each Redis, and acquires and releases a lock of each once, as {@link #connect} does. */
    MultiClient connectToAll(LockSystem system) {
        MultiClient clients = system.connectToAll(uris, watchdogTimeout);
        String name = "prelude-" + UUID.randomUUID();
        pass(clients.all(IntStream.range(0, uris.size())
                .mapToObj(i -> new Member(name, i))
                .toList()));
        return clients;
    }

    private static void pass(BlockingLock lock) {
        lock.lock();
        lock.unlock();
    }

    /** {@return the referee of all workers} */
    Referee referee() {
        return Referee.shared(Path.of(directory, "referee"));
    }

    /** {@return the referee of all workers for one of several locks} */
    Referee referee(int lock) {
        return Referee.shared(Path.of(directory, "referee-" + lock));
    }

    /** {@return the journal of all workers} */
    public static Journal journal(Path directory) {
        return Journal.shared(directory.resolve("journal"));
    }

    Journal journal() {
        return journal(Path.of(directory));
    }

    /** {@return the baton of all workers} */
    Baton baton() {
        return Baton.shared(Path.of(directory, "baton"));
    }

    /** {@return a number that no other contender of any worker has} */
    long contender(int index) {
        return (long) worker * MOST_CONTENDERS + index + 1;
    }
}
