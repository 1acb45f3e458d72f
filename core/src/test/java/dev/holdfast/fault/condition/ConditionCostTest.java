package dev.holdfast.fault.condition;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many commands it takes to signal, and to wait for a condition. */
@Tag("fault")
@SuppressWarnings("WaitNotInLoop") // what one wait does is what is tested
final class ConditionCostTest {
    private static final String NAME = "orders:42";

    private static final String KEY = "holdfast_condition:{orders:42}";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void closed() {
        clients.forEach(faulty::close);
        assertThat((List<?>) faulty.server().command("HGETALL", KEY)).isEmpty();
    }

    private DistributedLock another() {
        return another(LONG).getLock(NAME);
    }

    private Holdfast another(Duration watchdogTimeout) {
        Holdfast client = faulty.client(watchdogTimeout);
        clients.add(client);
        return client;
    }

    private static CompletableFuture<?> waits(DistributedLock lock) {
        return elsewhere(() -> lock.callLocked(() -> {
            lock.getCondition("full").await();
            return lock.isHeldByCurrentThread();
        }));
    }

    private long scripts() {
        return faulty.proxy().commands("EVALSHA") + faulty.proxy().commands("EVAL");
    }

    private static long scripts(List<ProxiedConnection> connections) {
        return connections.stream()
                .mapToLong(connection -> connection.commands("EVALSHA") + connection.commands("EVAL"))
                .sum();
    }

    private boolean areInSets(int waiters) {
        return areInSets(KEY, waiters);
    }

    private boolean areInSets(String key, int waiters) {
        return faulty.server().command("HKEYS", key) instanceof List<?> fields
                && fields.stream()
                                .filter(field -> String.valueOf(field).startsWith("owner:"))
                                .count()
                        == waiters;
    }

    /** A lock without waiters for a condition is acquired and released by two scripts, and nothing else is sent. */
    @Test
    void lockWithoutConditions_twoScripts() {
        DistributedLock lock = another();
        lock.runLocked(() -> {});
        faulty.proxy().resetCounters();

        for (int i = 0; i < 100; i++) {
            lock.runLocked(() -> {});
        }

        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(200);
        for (String command : List.of("EVAL", "SCRIPT", "SUBSCRIBE", "PUBLISH", "PUBSUB")) {
            assertThat(faulty.proxy().commands(command)).as(command).isZero();
        }
    }

    /** Two clients that wait for each other in turn send three scripts a turn: signal and wait, release, acquire. */
    @Test
    void turns_threeScriptsEach() {
        int turns = 200;
        AtomicInteger turn = new AtomicInteger();
        DistributedLock even = another();
        DistributedLock odd = another();

        List<CompletableFuture<?>> ends = List.of(
                elsewhere(() -> takeTurns(even, turn, 0, turns)), elsewhere(() -> takeTurns(odd, turn, 1, turns)));
        ends.forEach(end -> get(end));

        assertThat((double) scripts() / turns).isBetween(2.0, 3.1);
    }

    /** Takes every other turn, within one hold that the waits interrupt. */
    private static int takeTurns(DistributedLock lock, AtomicInteger turn, int mine, int turns)
            throws InterruptedException {
        lock.lock();
        try {
            while (turn.get() < turns) {
                if (turn.get() % 2 == mine) {
                    turn.incrementAndGet();
                    lock.getCondition("turn " + (1 - mine)).signal();
                } else {
                    lock.getCondition("turn " + mine).await();
                }
            }
            return turn.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A signal makes one of many waiters acquire the lock, and costs the holder one script. The waiter sends one more if it
     * has received its signal before the release that follows it is executed: it finds the lock busy, and is in line then.
     */
    @Test
    void signal_wakesOneOfMany() {
        int waiters = 64;
        List<CompletableFuture<?>> ends = new ArrayList<>();
        List<DistributedLock> locks = List.of(another(), another(), another(), another());
        for (int i = 0; i < waiters; i++) {
            DistributedLock lock = locks.get(i % locks.size());
            ends.add(waits(lock));
        }
        eventually(() -> areInSets(waiters));
        List<ProxiedConnection> ofWaiters = faulty.proxy().connections();
        DistributedLock other = another();
        other.runLocked(other.getCondition("full")::signal);
        CompletableFuture.anyOf(ends.toArray(CompletableFuture[]::new)).join();
        long before = scripts();
        long ofWaitersBefore = scripts(ofWaiters);

        other.runLocked(other.getCondition("full")::signal);

        eventually(() -> ends.stream().filter(CompletableFuture::isDone).count() == 2);
        long sentByWaiters = scripts(ofWaiters) - ofWaitersBefore;
        assertThat(sentByWaiters).isBetween(2L, 3L);
        assertThat(scripts() - before - sentByWaiters).isEqualTo(3);
        assertThat(areInSets(waiters - 2)).isTrue();
        other.runLocked(other.getCondition("full")::signalAll);
        ends.forEach(end -> get(end));
    }

    /** A client proves that it is alive by one script for each lock and third of the watchdog timeout, however many wait. */
    @Test
    void heartbeat_oneScriptForEachLock() {
        int waiters = 16;
        int beats = 2;
        Holdfast client = another(SHORT);
        DistributedLock crowded = client.getLock(NAME);
        DistributedLock other = client.getLock("orders:43");
        List<CompletableFuture<?>> ends = new ArrayList<>(List.of(waits(other)));
        for (int i = 0; i < waiters; i++) {
            ends.add(waits(crowded));
        }
        eventually(() -> areInSets(waiters) && areInSets("holdfast_condition:{orders:43}", 1));
        Holdfast rival = another(LONG);
        for (String name : List.of(NAME, "orders:43")) {
            rival.getLock(name).runLocked(() -> {}); // all that wait have released it
        }
        faulty.proxy().resetCounters();
        long began = System.nanoTime();

        eventually(() -> scripts() >= 2L * beats);

        long scripts = scripts();
        long most = since(began).dividedBy(SHORT.dividedBy(3)) + 2;
        assertThat(scripts).isLessThanOrEqualTo(2 * most);
        assertThat(ends).noneMatch(CompletableFuture::isDone);
        for (DistributedLock lock : List.of(crowded, other)) {
            lock.runLocked(lock.getCondition("full")::signalAll);
        }
        ends.forEach(end -> get(end));
    }
}
