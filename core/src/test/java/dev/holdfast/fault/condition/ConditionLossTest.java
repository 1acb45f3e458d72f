package dev.holdfast.fault.condition;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.TurnedClock;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds are lost before, in and after waits for a condition, also those of a client that is closed: others wake, and nothing is left. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // holds are lost, and what one wait does is tested
final class ConditionLossTest extends ConditionFaults {
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

    /** Redis may still have a hold that was lost before its wait, while the channel was being confirmed: its last unlock releases it. */
    @Test
    void wait_holdLostBefore_nothingIsLeft() {
        DistributedLock lock = behind(SHORT).getLock(NAME);
        lock.lock();
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<?> healed = elsewhere(() -> {
            eventually(() -> !faulty.events().lost().isEmpty());
            faulty.server().command("PERSIST", NAME);
            faulty.proxy().heal();
            return true;
        });
        eventually(() -> faulty.events().risks() == 1);

        assertThatThrownBy(() -> lock.getCondition(FULL).await()).isInstanceOf(LeaseLostException.class);

        get(healed);
        assertLost(lock, 1);
        eventually(() -> !faulty.keys().contains(NAME));
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
