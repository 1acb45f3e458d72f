package dev.holdfast.internal.client;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.topology.Shutdown;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A close ends in time and leaves nothing behind, whatever the state of the driver's resources, its own thread and
 * Redis.
 */
@Tag("driver")
@Tag("slow")
class CloseBoundsTest {
    private static final String NAME = "orders:42";

    /** For the grace and the calls in flight, the rest of it for the driver, and as much again as a busy machine takes. */
    private static final Duration BOUND =
            COMMAND_TIMEOUT.multipliedBy(2).plus(Shutdown.LONGEST_WAIT).plusSeconds(5);

    /** Which resources the driver uses, and the state they are in. */
    enum Resources {
        OWN,
        SHARED,
        SHARED_AND_SHUT_DOWN
    }

    /** What Redis does. */
    enum Redis {
        UP {
            @Override
            void fail(FaultyRedis faulty) {}
        },
        HUNG {
            @Override
            void fail(FaultyRedis faulty) {
                faulty.proxy().blackHole();
            }
        },
        KILLED {
            @Override
            void fail(FaultyRedis faulty) {
                faulty.server().kill();
            }
        };

        abstract void fail(FaultyRedis faulty);
    }

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private @Nullable ClientResources shared;

    @AfterEach
    void endShared() {
        if (shared != null) {
            shared.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    static Stream<Arguments> everyState() {
        return Stream.of(Resources.values())
                .flatMap(resources -> Stream.of(Redis.values()).flatMap(redis -> Stream.of(false, true)
                        .flatMap(interrupted -> Stream.of(Duration.ZERO, COMMAND_TIMEOUT)
                                .map(grace -> Arguments.of(resources, redis, interrupted, grace)))));
    }

    /**
     * The close ends within its bound, without an exception. The interrupt flag is still set afterwards. Waiters have
     * failed, holds are lost, no thread is left, and neither the driver nor the close has logged a warning.
     */
    @ParameterizedTest(name = "{0}, Redis {1}, interrupted {2}, grace {3}")
    @MethodSource("everyState")
    void close_endsInTime(Resources resources, Redis redis, boolean interrupted, Duration grace) {
        faulty.server().command("HSET", NAME, "another client:1", "1");
        Set<Thread> before = driverThreads();
        Holdfast client = client(resources);
        Lease held = client.getLock("held").acquire();
        List<Future<?>> waiting = List.of(
                elsewhere(() -> catchThrowable(client.getLock(NAME)::lock)),
                client.getLock(NAME).acquireAsync().handle((lease, failure) -> failure));
        faulty.awaitWaiting(client, waiting.size());
        redis.fail(faulty);
        if (resources == Resources.SHARED_AND_SHUT_DOWN) {
            endShared();
        }

        Closed closed;
        String logged;
        try (CapturedWarnings log = new CapturedWarnings()) {
            closed = get(elsewhere(() -> close(client, grace, interrupted)), grace.plus(BOUND));
            logged = log.text();
        }

        assertThat(closed.interrupted()).isEqualTo(interrupted);
        assertThat(closed.took()).isGreaterThanOrEqualTo(grace);
        for (Future<?> waiter : waiting) {
            assertThat(get(waiter, SOON)).isInstanceOfSatisfying(LockException.class, failure -> assertThat(failure)
                    .hasMessageContainingAll(NAME, "CLOSED"));
        }
        assertThat(get(held.lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.CLOSED);
        assertThat(client.isConnected()).isFalse();
        endShared();
        eventually(() -> assertThat(driverThreads()).isSubsetOf(before));
        assertThat(complaints(resources, logged)).as(logged).isEmpty();
        faulty.closed(client);
        faulty.proxy().heal();
        eventually(() -> faulty.proxy().connections().isEmpty());
        if (redis != Redis.KILLED) {
            faulty.server().command("DEL", NAME, "held");
        }
    }

    /** How a close ended for the calling thread. */
    private record Closed(Duration took, boolean interrupted) {}

    private static Closed close(Holdfast client, Duration grace, boolean interrupted) {
        long start = System.nanoTime();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        client.close(grace);
        return new Closed(since(start), Thread.interrupted());
    }

    /**
     * {@return the warnings of the driver and of the close, except that Redis was unreachable during the grace} Where the
     * user has shut the resources down, the driver fails to reconnect by a timer that was stopped, and an event loop may
     * report that when the close has begun.
     */
    private static Stream<String> complaints(Resources resources, String logged) {
        return logged.lines()
                .filter(line -> line.matches(".* (WARN|ERROR) (io\\.|\\S+Shutdown ).*"))
                .filter(line -> !line.contains("Cannot reconnect"))
                .filter(line -> resources != Resources.SHARED_AND_SHUT_DOWN
                        || !line.contains("An exceptionCaught() event was fired"));
    }

    private Holdfast client(Resources resources) {
        if (resources == Resources.OWN) {
            return faulty.hastyClient();
        }
        ClientResources theirs = ClientResources.create();
        shared = theirs;
        return faulty.client(builder -> builder.clientResources(theirs).commandTimeout(COMMAND_TIMEOUT));
    }

    /** A connect that fails for an interrupted thread reports why Redis is unreachable, and leaves nothing behind. */
    @Test
    void connect_failsInterrupted_leavesNothing() {
        Set<Thread> before = driverThreads();
        faulty.proxy().refuse();
        HoldfastBuilder builder = Holdfast.builder().redisUri(faulty.proxy().uri());
        Thread.currentThread().interrupt();

        assertThatThrownBy(builder::build)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll("cannot connect", "refused");

        assertThat(Thread.interrupted()).isTrue();
        eventually(() -> assertThat(driverThreads()).isSubsetOf(before));
    }

    /** No client can be built on resources that were shut down: the exception says so, and nothing is left behind. */
    @Test
    void connect_onResourcesShutDown_isReported() {
        Set<Thread> before = driverThreads();
        ClientResources gone = ClientResources.create();
        gone.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        HoldfastBuilder builder =
                Holdfast.builder().redisUri(faulty.proxy().uri()).clientResources(gone);
        long start = System.nanoTime();

        assertThatThrownBy(builder::build).isInstanceOf(LockException.class).hasMessageContaining("cannot connect");

        assertThat(since(start)).isLessThan(BOUND);
        eventually(() -> assertThat(driverThreads()).isSubsetOf(before));
    }

    private static Set<Thread> driverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-")
                        || thread.getName().startsWith("lettuce"))
                .filter(thread -> !thread.getName().startsWith("holdfast-fault-proxy"))
                .collect(Collectors.toSet());
    }
}
