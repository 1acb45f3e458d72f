package dev.holdfast.fault.condition;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Waiters for a condition wake although a client, a message, a wait set or a hold is lost. A wait without an end lasts a minute at
 * least if nothing is noticed, longer than a test waits.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // holds are lost, and what one wait does is tested
final class ConditionFaultTest {
    private static final String NAME = "orders:42";

    private static final String KEY = "holdfast_condition:{orders:42}";

    private static final String FULL = "full";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<Holdfast> waiting = new ArrayList<>();
    private final DistributedLock other = faulty.bystander().getLock(NAME);

    /** A client that is closed leaves nothing, although it would stay registered for its watchdog timeout. */
    @AfterEach
    void closed() {
        faulty.proxy().heal();
        waiting.forEach(faulty::close);
        assertThat(kept()).isEmpty();
    }

    private Holdfast add(Holdfast client) {
        waiting.add(client);
        return client;
    }

    /** {@return a client behind the proxy; with a long watchdog timeout, it sends no heartbeat within a test} */
    private Holdfast behind(Duration watchdogTimeout) {
        return add(faulty.client(watchdogTimeout));
    }

    /** {@return a client that is not affected by network faults} */
    private Holdfast beside(Duration watchdogTimeout) {
        return add(
                faulty.client(builder -> builder.redisUri(faulty.server().uri()).watchdogTimeout(watchdogTimeout)));
    }

    /** Begins to wait on a thread of its own. Returns when the thread has released the lock. */
    private CompletableFuture<?> waits(Holdfast client) {
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

    private void signal() {
        other.runLocked(other.getCondition(FULL)::signal);
    }

    /** {@return how many clients have proved to be alive for longer than until now} */
    private long alive() {
        List<?> kept = kept();
        return IntStream.range(0, kept.size() / 2)
                .filter(i -> kept.get(2 * i).toString().startsWith("client:"))
                .filter(i -> Long.parseLong(kept.get(2 * i + 1).toString()) > System.currentTimeMillis())
                .count();
    }

    private void loseSignals() {
        faulty.proxy().loseMessages(channel -> channel.endsWith(":signals"));
    }

    /** {@return how many waiters are in wait sets} */
    private long inSets() {
        return ((List<?>) requireNonNull(faulty.server().command("HKEYS", KEY)))
                .stream().filter(field -> field.toString().startsWith("owner:")).count();
    }

    /** {@return the fields and values in Redis} */
    private List<?> kept() {
        return (List<?>) requireNonNull(faulty.server().command("HGETALL", KEY));
    }

    // --- A client is lost.

    /** A client that dies on the message that signals its waiter is not subscribed any more: the other waiter wakes instead. */
    @Test
    void signalled_clientGone() {
        CompletableFuture<?> first = waits(behind(LONG));
        Holdfast left = beside(SHORT);
        CompletableFuture<?> second = waits(left);
        loseSignals();
        signal();
        assertThat(second).isNotDone();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();

        get(second, SOON);

        assertThat(left.stats().spuriousWakeUps()).isEqualTo(1);
        faulty.proxy().heal();
        get(first);
    }

    /** A client that is cut off, and still subscribed, does not prove that it is alive. */
    @Test
    void signalled_clientCutOff() {
        CompletableFuture<?> first = waits(behind(SHORT));
        CompletableFuture<?> second = waits(beside(SHORT));
        faulty.proxy().blackHole();
        signal();

        get(second, SOON);

        assertThat(first).isNotDone();
        faulty.proxy().heal();
        get(first);
    }

    /** A waiter whose client is not subscribed is passed over: the signal is for the next, and wakes it at once. */
    @Test
    void signal_firstNotSubscribed() {
        CompletableFuture<?> first = waits(behind(LONG));
        Holdfast left = beside(LONG);
        CompletableFuture<?> second = waits(left);
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> faulty.server().channels().size() == 1);

        signal();

        get(second, SOON);
        assertThat(left.stats().spuriousWakeUps()).isZero();
        faulty.proxy().heal();
        get(first);
    }

    /** The same goes for one that is subscribed, and has not proved that it is alive for a watchdog timeout. */
    @Test
    void signal_firstNotAlive() {
        CompletableFuture<?> first = waits(behind(SHORT));
        Holdfast left = beside(LONG);
        CompletableFuture<?> second = waits(left);
        faulty.proxy().blackHole();
        eventually(() -> alive() == 1);

        signal();

        get(second, SOON);
        assertThat(left.stats().spuriousWakeUps()).isZero();
        assertThat(first).isNotDone();
        faulty.proxy().heal();
        get(first);
    }

    /** A client that dies with the lock, after it was signalled, has perhaps signalled nobody: the other waiter wakes. */
    @Test
    void woken_clientGone() {
        DistributedLock lock = behind(SHORT).getLock(NAME);
        CompletableFuture<?> holds = new CompletableFuture<>();
        CompletableFuture<?> ends = new CompletableFuture<>();
        CompletableFuture<?> first = elsewhere(() -> {
            lock.lock();
            try {
                lock.getCondition(FULL).await();
                holds.complete(null);
                return ends.get();
            } finally {
                lock.unlock();
            }
        });
        eventually(() -> inSets() == 1);
        CompletableFuture<?> second = waits(beside(SHORT));
        signal();
        get(holds);
        faulty.proxy().refuse();
        faulty.proxy().cutRst();

        get(second, SOON);

        faulty.proxy().heal();
        ends.complete(null);
        assertThatThrownBy(() -> get(first)).isInstanceOf(LeaseLostException.class);
    }

    // --- A message or a wait set is lost.

    /** A message that is lost delays its waiter until the next heartbeat. */
    @Test
    void signalled_messageLost() {
        Holdfast deaf = behind(SHORT);
        CompletableFuture<?> waiter = waits(deaf);
        loseSignals();

        signal();

        get(waiter, SOON);
        assertThat(deaf.stats().spuriousWakeUps()).isEqualTo(1);
    }

    /** It wakes that waiter alone: one of the same client that waits behind it has no signal. */
    @Test
    void signalled_messageLost_othersWaitOn() {
        Holdfast deaf = behind(SHORT);
        CompletableFuture<?> first = waits(deaf);
        CompletableFuture<?> second = waits(deaf);
        loseSignals();

        signal();

        get(first, SOON);
        assertThat(second).isNotDone();
        assertThat(inSets()).isEqualTo(1);
        faulty.proxy().heal();
        signal();
        get(second, SOON);
        assertThat(deaf.stats().spuriousWakeUps()).isEqualTo(1);
    }

    /** A waiter whose time is over, and that was signalled although it has no message, was signalled: nobody else has the signal. */
    @Test
    void timedOut_messageLost() {
        Holdfast deaf = behind(LONG);
        DistributedLock lock = deaf.getLock(NAME);
        CompletableFuture<Boolean> first =
                elsewhere(() -> lock.callLocked(() -> lock.getCondition(FULL).await(3, TimeUnit.SECONDS)));
        eventually(() -> inSets() == 1);
        CompletableFuture<?> second = waits(beside(LONG));
        loseSignals();

        signal();

        assertThat(get(first, SOON)).isTrue();
        assertThat(deaf.stats().spuriousWakeUps()).isZero();
        assertThat(second).isNotDone();
        signal();
        get(second, SOON);
    }

    /** So was one that is interrupted: it returns, and its interrupt status is set. */
    @Test
    void interrupted_messageLost() {
        DistributedLock lock = behind(LONG).getLock(NAME);
        try (Worker worker = new Worker()) {
            CompletableFuture<Boolean> first = worker.begins(() -> lock.callLocked(() -> {
                lock.getCondition(FULL).await();
                return Thread.interrupted();
            }));
            eventually(() -> inSets() == 1);
            loseSignals();
            signal();
            assertThat(first).isNotDone();

            worker.thread().interrupt();

            assertThat(get(first, SOON)).isTrue();
        }
    }

    /** One that is lost with the connection delays it until the channel is confirmed on the next connection. */
    @Test
    void signalled_connectionReplaced() {
        Holdfast deaf = behind(LONG);
        CompletableFuture<?> waiter = waits(deaf);
        loseSignals();
        signal();
        assertThat(waiter).isNotDone();

        faulty.subscriberConnection().cutRst();

        get(waiter, SOON);
        assertThat(deaf.stats().spuriousWakeUps()).isEqualTo(1);
    }

    /** All waiters wake whose wait sets are deleted. */
    @Test
    void waitSetsDeleted_allWake() {
        CompletableFuture<?> first = waits(behind(SHORT));
        CompletableFuture<?> second = waits(beside(SHORT));

        faulty.server().command("DEL", KEY);

        get(first, SOON);
        get(second, SOON);
    }

    /** A Redis that has restarted without data has no wait sets: the confirmation of the channel shows that. */
    @Test
    void serverRestarted_allWake() {
        CompletableFuture<?> first = waits(behind(LONG));
        CompletableFuture<?> second = waits(beside(LONG));

        faulty.server().kill();
        faulty.server().restart();

        get(first, SOON);
        get(second, SOON);
    }

    /** A signal that Redis did not execute since it has forgotten the script is not lost: all wake. */
    @Test
    void signal_scriptForgotten_allWake() {
        signal(); // Redis knows the script from now on
        CompletableFuture<?> first = waits(behind(LONG));
        CompletableFuture<?> second = waits(beside(LONG));
        faulty.server().command("SCRIPT", "FLUSH");

        signal();

        get(first, SOON);
        get(second, SOON);
    }

    /** A wait whose command is not known to be executed is over at once, and leaves nothing that takes the next signal. */
    @Test
    void wait_inDoubt() {
        Holdfast doubting = add(faulty.patientClient());
        DistributedLock lock = doubting.getLock(NAME);
        faulty.proxy().cutInsteadOfReplyTo(KEY);

        get(elsewhere(() -> lock.callLocked(() -> lock.getCondition(FULL).await(1, TimeUnit.MINUTES))), SOON);

        assertThat(doubting.stats().spuriousWakeUps()).isEqualTo(1);
        eventually(() -> inSets() == 0);
        Holdfast beside = beside(LONG);
        CompletableFuture<?> second = waits(beside);

        signal();

        get(second, SOON);
        assertThat(beside.stats().spuriousWakeUps()).isZero();
    }

    // --- A hold is lost.

    /** A holder that has lost the lock before its signal was sent has perhaps changed what others wait for: all wake. */
    @Test
    void signal_holdLost_allWake() {
        CompletableFuture<?> first = waits(behind(LONG));
        CompletableFuture<?> second = waits(beside(LONG));
        other.lock();
        other.getCondition(FULL).signal();
        faulty.server().command("DEL", NAME);

        assertThatThrownBy(other::unlock).isInstanceOf(LeaseLostException.class);

        get(first, SOON);
        get(second, SOON);
    }

    /** So has one that finds it lost when it would signal. */
    @Test
    void signal_afterTheLoss_allWake() {
        CompletableFuture<?> first = waits(behind(LONG));
        CompletableFuture<?> second = waits(beside(LONG));
        DistributedLock lost = beside(SHORT).getLock(NAME);
        lost.lock();
        faulty.server().command("DEL", NAME);
        eventually(() -> !lost.isHeldByCurrentThread());
        assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);

        assertThatThrownBy(lost.getCondition(FULL)::signal).isInstanceOf(LeaseLostException.class);

        get(first, SOON);
        get(second, SOON);
        assertLost(lost, 1);
    }

    /** One that finds it lost when it begins to wait gets an exception, as does its unlock, and its signals wake all. */
    @Test
    void wait_holdLost_allWake() {
        CompletableFuture<?> first = waits(behind(LONG));
        CompletableFuture<?> second = waits(beside(LONG));
        DistributedLock lost = beside(LONG).getLock(NAME);
        lost.lock();
        lost.getCondition(FULL).signal();
        faulty.server().command("DEL", NAME);

        assertThatThrownBy(() -> lost.getCondition("empty").await()).isInstanceOf(LeaseLostException.class);

        assertLost(lost, 1);
        get(first, SOON);
        get(second, SOON);
    }

    /** A holder has died between its change and its signal, and nobody knows: waiters wake after a minute, and that is counted. */
    @Test
    void holderDied_lastResort() {
        TurnedClock clock = new TurnedClock();
        Holdfast patient = add(faulty.client(clock::turns));
        CompletableFuture<?> waiter = waits(patient);
        DistributedLock lock = patient.getLock(NAME);
        CompletableFuture<Boolean> forAnHour =
                elsewhere(() -> lock.callLocked(() -> lock.getCondition(FULL).await(1, TimeUnit.HOURS)));
        eventually(() -> inSets() == 2);
        clock.advance(Duration.ofSeconds(58));
        assertThat(waiter).isNotDone();
        assertThat(forAnHour).isNotDone();

        clock.advance(Duration.ofSeconds(17));

        get(waiter, SOON);
        assertThat(get(forAnHour)).isTrue();
        assertThat(patient.stats().lastResortWakeUps()).isEqualTo(2);
        assertThat(patient.stats().spuriousWakeUps()).isZero();
    }

    // --- Redis fails.

    /** Without an answer to the subscription the thread does not wait, and holds the lock. */
    @Test
    void wait_channelNotConfirmed() {
        DistributedLock lock = add(faulty.hastyClient()).getLock(NAME);
        lock.lock();
        faulty.proxy().blackHole();

        assertThatThrownBy(() -> lock.getCondition(FULL).await())
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining(NAME);

        faulty.proxy().heal();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(inSets()).isZero();
    }

    /** A wait whose time is over while Redis is silent ends with an exception, and the unlock is that of a lost hold. */
    @Test
    void timedOut_redisDown() {
        DistributedLock lock = add(faulty.hastyClient()).getLock(NAME);
        CompletableFuture<?> waiter = elsewhere(() -> {
            lock.lock();
            assertThatThrownBy(() -> lock.getCondition(FULL).await(2, TimeUnit.SECONDS))
                    .isExactlyInstanceOf(LockException.class);
            return assertLost(lock, 1);
        });
        eventually(() -> inSets() == 1);
        faulty.proxy().blackHole();

        get(waiter);

        faulty.proxy().heal();
        eventually(() -> faulty.keys().stream().allMatch(KEY::equals));
    }

    /** In a full Redis threads wait, signal, and end their waits. */
    @Test
    void fullMemory_works() throws Exception {
        DistributedLock lock = beside(LONG).getLock(NAME);
        faulty.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            CompletableFuture<?> waiter = waits(behind(LONG));
            lock.lock();
            try {
                assertThat(lock.getCondition(FULL).await(1, TimeUnit.MILLISECONDS))
                        .isFalse();
                lock.getCondition(FULL).signal();
            } finally {
                lock.unlock();
            }
            get(waiter, SOON);
        } finally {
            faulty.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** A waiter that cannot have the lock again gets an exception, as does each of its unlocks, and holds nothing in Redis. */
    @Test
    void signalled_redisDown() {
        Holdfast silenced = add(faulty.hastyClient());
        DistributedLock lock = silenced.getLock(NAME);
        CompletableFuture<?> waiter = elsewhere(() -> {
            lock.lock();
            lock.lock();
            assertThatThrownBy(() -> lock.getCondition(FULL).await()).isExactlyInstanceOf(LockException.class);
            return assertLost(lock, 2);
        });
        eventually(() -> inSets() == 1);
        faulty.proxy().blackHole(Direction.REQUESTS);
        signal();

        get(waiter);

        faulty.proxy().heal();
        eventually(() -> faulty.keys().stream().allMatch(KEY::equals));
        other.runLocked(() -> assertThat(other.isHeldByCurrentThread()).isTrue());
    }

    /** Asserts that so many unlocks, and no more, are those of a lost hold. */
    private static boolean assertLost(DistributedLock lock, int levels) {
        for (int i = 0; i < levels; i++) {
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        }
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        return true;
    }

    // --- The client is closed.

    /** A close ends waits at once, with a grace period as well: each unlock is that of a lost hold, and nothing is left in Redis. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void close_endsWaits(boolean grace) {
        Holdfast closed = faulty.client(LONG);
        DistributedLock lock = closed.getLock(NAME);
        CompletableFuture<?> waiter = elsewhere(() -> {
            lock.lock();
            lock.lock();
            assertThatThrownBy(() -> lock.getCondition(FULL).await())
                    .isExactlyInstanceOf(LockException.class)
                    .hasMessageContaining("closed");
            return assertLost(lock, 2);
        });
        eventually(() -> inSets() == 1);
        long start = System.nanoTime();

        closed.close(grace ? LONG : Duration.ZERO);

        assertThat(since(start)).isLessThan(SOON);
        get(waiter);
        faulty.closed(closed);
        assertThat(kept()).isEmpty();
    }

    /** A client that is closed with a waiter that was signalled wakes the others. */
    @Test
    void close_signalledWaiter_othersWake() {
        Holdfast closed = faulty.client(LONG);
        CompletableFuture<?> first = waits(closed);
        CompletableFuture<?> second = waits(beside(LONG));
        loseSignals();
        signal();
        assertThat(second).isNotDone();

        faulty.close(closed);

        get(second, SOON);
        assertThatThrownBy(() -> get(first)).isInstanceOf(LeaseLostException.class);
    }

    /** So does one that is closed before it has sent a signal: they acquire the lock when its lease has ended. */
    @Test
    void close_holderThatSignals_othersWake() {
        Holdfast left = beside(LONG);
        CompletableFuture<?> waiter = waits(left);
        Holdfast closed = faulty.client(SHORT);
        DistributedLock lock = closed.getLock(NAME);
        lock.lock();
        lock.getCondition(FULL).signal();

        faulty.close(closed);

        get(waiter, SOON);
        assertThat(left.stats().spuriousWakeUps()).isEqualTo(1);
        assertLost(lock, 1);
    }

    // --- Nothing is left.

    /** A client that has not waited for a watchdog timeout removes what is left of it, before that expires. */
    @Test
    void lastWait_nothingIsLeft() throws Exception {
        DistributedLock lock = beside(SHORT).getLock(NAME);
        lock.lock();
        try {
            assertThat(lock.getCondition(FULL).await(1, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            lock.unlock();
        }
        assertThat(kept()).isNotEmpty();
        faulty.server().command("PEXPIRE", KEY, String.valueOf(LONG.toMillis()));

        eventually(() -> kept().isEmpty());
    }

    /** A client that is closed does so at once. */
    @Test
    void close_nothingIsLeft() throws Exception {
        Holdfast closed = faulty.client(LONG);
        DistributedLock lock = closed.getLock(NAME);
        lock.lock();
        try {
            assertThat(lock.getCondition(FULL).await(1, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            lock.unlock();
        }
        assertThat(kept()).isNotEmpty();

        faulty.close(closed);

        assertThat(kept()).isEmpty();
    }
}
