package dev.holdfast.fault.condition;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Worker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Waiters for a condition wake although a client, a message or a wait set is lost. A wait without an end lasts a minute at least if
 * nothing is noticed, longer than a test waits.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // holds are lost, and what one wait does is tested
final class ConditionFaultTest extends ConditionFaults {
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
}
