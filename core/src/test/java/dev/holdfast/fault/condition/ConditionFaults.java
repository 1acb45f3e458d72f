package dev.holdfast.fault.condition;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Threads of several clients that wait for a condition, and what is in Redis of them. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // holds are lost, and what one wait does is tested
abstract class ConditionFaults {
    static final String NAME = "orders:42";

    static final String KEY = "holdfast_condition:{orders:42}";

    static final String FULL = "full";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<Holdfast> waiting = new ArrayList<>();
    final DistributedLock other = faulty.bystander().getLock(NAME);

    /** A client that is closed leaves nothing, although it would stay registered for its watchdog timeout. */
    @AfterEach
    final void closed() {
        faulty.proxy().heal();
        waiting.forEach(faulty::close);
        assertThat(kept()).isEmpty();
    }

    final Holdfast add(Holdfast client) {
        waiting.add(client);
        return client;
    }

    /** {@return a client behind the proxy; with a long watchdog timeout, it sends no heartbeat within a test} */
    final Holdfast behind(Duration watchdogTimeout) {
        return add(faulty.client(watchdogTimeout));
    }

    /** {@return a client that is not affected by network faults} */
    final Holdfast beside(Duration watchdogTimeout) {
        return add(
                faulty.client(builder -> builder.redisUri(faulty.server().uri()).watchdogTimeout(watchdogTimeout)));
    }

    /** Begins to wait on a thread of its own. Returns when the thread has released the lock. */
    final CompletableFuture<?> waits(Holdfast client) {
        long before = inSets();
        DistributedLock lock = client.getLock(NAME);
        CompletableFuture<?> waiter = elsewhere(() -> {
            lock.lock();
            try {
                lock.getCondition(FULL).await();
                return lock.isHeldByCurrentThread();
            } finally {
                lock.unlock();
            }
        });
        eventually(() -> inSets() == before + 1);
        return waiter;
    }

    final void signal() {
        other.runLocked(other.getCondition(FULL)::signal);
    }

    /** {@return how many clients have proved to be alive for longer than until now} */
    final long alive() {
        List<?> kept = kept();
        return IntStream.range(0, kept.size() / 2)
                .filter(i -> kept.get(2 * i).toString().startsWith("client:"))
                .filter(i -> Long.parseLong(kept.get(2 * i + 1).toString()) > System.currentTimeMillis())
                .count();
    }

    final void loseSignals() {
        faulty.proxy().loseMessages(channel -> channel.endsWith(":signals"));
    }

    /** {@return how many waiters are in wait sets} */
    final long inSets() {
        return ((List<?>) requireNonNull(faulty.server().command("HKEYS", KEY)))
                .stream().filter(field -> field.toString().startsWith("owner:")).count();
    }

    /** {@return the fields and values in Redis} */
    final List<?> kept() {
        return (List<?>) requireNonNull(faulty.server().command("HGETALL", KEY));
    }
}
