package dev.holdfast.fault.close;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client is closed while calls, waits and holds are in progress: no call hangs or returns a wrong result, and no
 * thread stays behind.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class CloseUnderWayTest {
    private static final String NAME = "orders:42";

    /** What the network does while the client is closed. */
    enum Network {
        FINE {
            @Override
            void fail(FaultyRedis faulty) {}
        },
        SILENT {
            @Override
            void fail(FaultyRedis faulty) {
                faulty.proxy().blackHole();
            }
        },
        GONE {
            @Override
            void fail(FaultyRedis faulty) {
                faulty.proxy().refuse();
                faulty.proxy().cutRst();
            }
        };

        abstract void fail(FaultyRedis faulty);
    }

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Waiting threads and futures fail because the client was closed. */
    @ParameterizedTest
    @EnumSource
    void waiters_failAsClosed(Network network) {
        Lease holder = faulty.bystander().getLock(NAME).acquire();
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = client.getLock(NAME);
        List<Future<?>> waiting = List.of(
                elsewhere(() -> {
                    lock.lock();
                    return true;
                }),
                elsewhere(() -> lock.tryLock(LONG)),
                lock.acquireAsync(),
                lock.tryAcquireAsync(LONG));
        faulty.awaitWaiting(client, waiting.size());
        network.fail(faulty);

        faulty.close(client);

        for (Future<?> waiter : waiting) {
            assertThatThrownBy(() -> get(waiter, SOON))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(NAME, "CLOSED");
        }
        faulty.proxy().heal();
        holder.close();
    }

    /** Calls whose command is in flight complete too, each with a failure or with Redis' reply. */
    @ParameterizedTest
    @EnumSource
    void calls_inFlight_end(Network network) {
        Holdfast client = faulty.hastyClient();
        Lease held = client.getLock("held").acquire(SHORT);
        DistributedLock lock = client.getLock(NAME);
        network.fail(faulty);
        List<Future<?>> calls = List.of(
                elsewhere(() -> {
                    lock.lock(SHORT);
                    return true;
                }),
                elsewhere(() -> lock.tryLock(LONG, SHORT)),
                lock.acquireAsync(SHORT),
                lock.tryAcquireAsync(LONG, SHORT),
                lock.inspectAsync(),
                client.getLock("another").forceUnlockAsync(),
                held.releaseAsync());

        faulty.close(client);

        for (Future<?> call : calls) {
            Throwable outcome = catchThrowable(() -> get(call, SOON));
            if (outcome != null) {
                assertThat(outcome)
                        .isInstanceOfAny(LockException.class, IllegalStateException.class, LeaseLostException.class);
            }
        }
    }

    /** A hold at the time of the close is lost to its holder, and expires in Redis by itself. */
    @ParameterizedTest
    @EnumSource
    void holds_areLostAsClosed(Network network) {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = client.getLock(NAME);
        Lease handle = client.getLock("handle").acquire();
        lock.lock();
        lock.lock();
        network.fail(faulty);

        faulty.close(client);

        assertThat(faulty.server().keys()).containsExactly("handle", NAME).allMatch(this::runsOut);
        assertThat(faulty.server().command("DEL", "handle", NAME)).isEqualTo(2L);
        assertThat(get(handle.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);
        assertThat(handle.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertClosed(handle::close);
        assertClosed(lock::unlock);
        assertClosed(lock::unlock);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    private boolean runsOut(String key) {
        return faulty.server().command("PTTL", key) instanceof Long left && left >= 0 && left <= LONG.toMillis();
    }

    /** An extended hold is not released under its holder either: it expires by itself. */
    @Test
    void extended_runsOut() {
        Holdfast client = faulty.client();
        Lease handle = client.getLock(NAME).acquire(LONG);
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        handle.extend(LONG);

        faulty.close(client);

        assertClosed(handle::close);
        assertThat(faulty.server().command("DEL", NAME)).isEqualTo(1L);
    }

    /** The same if the reply to the extension arrives while the client is being closed. */
    @Test
    void extendedMeanwhile_runsOut() {
        Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(2)));
        Lease handle = client.getLock(NAME).acquire(SHORT);
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<?> extended = elsewhere(() -> {
            handle.extend(LONG);
            return true;
        });
        eventually(() -> faulty.server().command("PTTL", NAME) instanceof Long left && left > SHORT.toMillis());
        CompletableFuture<?> closed = elsewhere(() -> {
            client.close();
            return true;
        });
        assertThat(get(handle.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);

        faulty.proxy().heal();

        get(closed);
        assertThatThrownBy(() -> get(extended)).isInstanceOf(LeaseLostException.class);
        assertThat(faulty.server().command("DEL", NAME)).isEqualTo(1L);
    }

    /** Nor is a lock released that was just handed off, when a new connection confirms the handoff during the close. */
    @Test
    void handedOffBefore_runsOut() {
        Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<?> released = scene.handOff();
        scene.awaitOwnerInRedis();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        CompletableFuture<?> closed = elsewhere(() -> {
            client.close();
            return true;
        });
        assertThat(get(scene.owner().lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);

        faulty.proxy().accept();

        get(released);
        get(closed);
        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        assertThat(faulty.server().command("DEL", NAME)).isEqualTo(1L);
    }

    /** Calls on a closed client are rejected. */
    @Test
    void afterwards_callsAreRefused() {
        Holdfast client = faulty.client();
        DistributedLock lock = client.getLock(NAME);

        client.close();
        client.close();

        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::inspect).isInstanceOf(IllegalStateException.class);
        assertThat(client.isConnected()).isFalse();
    }

    /** With a grace period, holders finish and nothing is lost. */
    @Test
    void grace_letsHoldersFinish() {
        Holdfast client = faulty.client();
        Lease held = client.getLock(NAME).acquire();
        CompletableFuture<Boolean> closed = elsewhere(() -> {
            client.close(LONG);
            return true;
        });
        eventually(() -> catchThrowable(client.getLock("another")::lock) instanceof IllegalStateException);

        held.close();

        assertThat(get(closed, SOON)).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** No thread of a closed client runs on: neither its timer nor an event loop of the driver. */
    @ParameterizedTest
    @EnumSource
    void threads_areGone(Network network) {
        Set<Thread> before = ownThreads();
        Holdfast client = faulty.hastyClient(SHORT);
        Lease held = client.getLock(NAME).acquire();
        assertThat(ownThreads()).hasSizeGreaterThan(before.size());
        network.fail(faulty);

        faulty.close(client);

        eventually(() -> before.containsAll(ownThreads()));
        assertClosed(held::close);
    }

    /** Whenever the client is closed, every thread that uses it at full speed comes to an end. */
    @Test
    void fullSpeed_anyMoment_noThreadHangs() {
        Random random = new Random(42);
        for (int round = 0; round < 15; round++) {
            Holdfast client = faulty.hastyClient(Duration.ofMillis(600));
            List<CompletableFuture<Throwable>> threads = IntStream.range(0, 4)
                    .mapToObj(i -> elsewhere(() -> catchThrowable(() -> lockForEver(client, i))))
                    .toList();
            eventually(() -> client.stats().acquired() > 10);
            LockSupport.parkNanos(random.nextInt(5_000_000)); // an arbitrary moment, different each time

            faulty.close(client);

            for (CompletableFuture<Throwable> thread : threads) {
                assertThat(get(thread, SOON))
                        .isInstanceOfAny(LockException.class, IllegalStateException.class, LeaseLostException.class);
            }
        }
    }

    private static void lockForEver(Holdfast client, int thread) throws InterruptedException {
        DistributedLock lock = client.getLock(NAME);
        while (true) {
            if (thread % 2 == 0) {
                lock.lock();
            } else if (!lock.tryLock(LONG)) {
                continue;
            }
            lock.unlock();
        }
    }

    private static void assertClosed(Runnable unlock) {
        assertThatThrownBy(unlock::run)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(LossReason.CLOSED));
    }

    private static Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-timer")
                        || thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }
}
