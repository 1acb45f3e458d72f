package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Permits;
import dev.holdfast.Worker;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever stops waiting for permits, at any step of the acquire, leaves none behind, and no place in line. No lease ends in time. */
@Tag("fault")
final class PermitsLeaversTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final PermitsScene scene = new PermitsScene(faulty);
    private final DistributedSemaphore semaphore = scene.patient(2);
    private final DistributedSemaphore others = scene.others(2);

    private final Permits held;

    @AutoClose
    private final Worker worker = new Worker();

    private CompletableFuture<Permits> wanted = new CompletableFuture<>();

    /** What makes the caller leave. */
    private Runnable leave = () -> {};

    PermitsLeaversTest() {
        semaphore.acquire(2).close(); // Redis knows the scripts of the client from now on, so each command is sent once
        held = others.acquire(2);
    }

    /** How far an acquire has come. The permits are held by another client first. */
    enum Step {
        /** The attempt is on its way. */
        SENT {
            @Override
            void reach(PermitsLeaversTest test, Permits held, Runnable acquire) {
                test.faulty.commandConnection().holdRequests();
                long before = test.faulty.proxy().commands("EVALSHA");
                held.close();
                acquire.run();
                eventually(() -> test.faulty.proxy().commands("EVALSHA") > before);
            }
        },
        /** It was executed, and its reply is on its way. */
        EXECUTED {
            @Override
            void reach(PermitsLeaversTest test, Permits held, Runnable acquire) {
                test.faulty.commandConnection().blackHole(Direction.REPLIES);
                held.close();
                acquire.run();
                eventually(() -> test.scene.seen().held() == 1);
            }
        },
        IN_LINE {
            @Override
            void reach(PermitsLeaversTest test, Permits held, Runnable acquire) {
                acquire.run();
                test.scene.awaitInLine(1);
            }
        },
        /** The permits were granted to the place in line, and the message is on its way. */
        GRANTED {
            @Override
            void reach(PermitsLeaversTest test, Permits held, Runnable acquire) {
                IN_LINE.reach(test, held, acquire);
                test.faulty.subscriberConnection().blackHole(Direction.REPLIES);
                held.close();
                assertThat(test.scene.seen().held()).isEqualTo(1);
            }
        };

        /** Closes the permits of the other client, unless the caller is to wait for them, and has the acquire come so far. */
        abstract void reach(PermitsLeaversTest test, Permits held, Runnable acquire);
    }

    /** How a caller leaves. */
    enum Way {
        CANCEL {
            @Override
            Runnable begin(PermitsLeaversTest test) {
                test.wanted = test.semaphore.acquireAsync();
                return () -> test.wanted.cancel(true);
            }
        },
        INTERRUPT {
            @Override
            Runnable begin(PermitsLeaversTest test) {
                test.wanted = test.worker.begins(() -> test.semaphore.acquireInterruptibly());
                return () -> test.worker.thread().interrupt();
            }
        },
        TIMEOUT {
            @Override
            Runnable begin(PermitsLeaversTest test) {
                test.wanted = test.semaphore.tryAcquireAsync(1, WAIT).thenApply(Optional::orElseThrow);
                return () -> {};
            }
        };

        /** Longer than it takes to reach a step. */
        private static final Duration WAIT = Duration.ofMillis(700);

        /** {@return what makes the caller leave whose acquire has begun} */
        abstract Runnable begin(PermitsLeaversTest test);
    }

    static Stream<Arguments> leavers() {
        return Arrays.stream(Step.values())
                .flatMap(step -> Arrays.stream(Way.values()).map(way -> Arguments.of(step, way)));
    }

    /** Nothing is left, and all permits can be had at once. */
    @ParameterizedTest
    @MethodSource("leavers")
    @Tag("slow")
    void leaver_leavesNothing(Step step, Way way) {
        reach(step, way);

        leave.run();

        assertNothingIsLeft();
    }

    /** Nor after the connections were cut when the caller had left, so that replies and messages are lost for good. */
    @ParameterizedTest
    @EnumSource
    void leaver_connectionsAreCut_leavesNothing(Step step) {
        reach(step, Way.CANCEL);

        leave.run();
        faulty.proxy().cutRst();

        assertNothingIsLeft();
    }

    /** The connections are cut and the caller stays: it has its permits, once. */
    @ParameterizedTest
    @EnumSource
    void stayer_connectionsAreCut_isGranted(Step step) {
        reach(step, Way.CANCEL);

        faulty.proxy().cutRst();
        faulty.proxy().heal();
        held.close();

        Permits granted = get(wanted);
        scene.assertHeld(granted);
        granted.close();
    }

    /** Has a caller begin, and come to this step. */
    private void reach(Step step, Way way) {
        step.reach(this, held, () -> leave = way.begin(this));
    }

    /** Asserts that the caller has no permits, and all can be had without the end of a lease. */
    private void assertNothingIsLeft() {
        assertThat(catchThrowable(() -> get(wanted))).isNotNull();
        faulty.proxy().heal();
        eventually(() -> scene.seen().line().isEmpty());
        held.close();
        eventually(() -> scene.seen().holders().isEmpty());
        assertThat(faulty.keys()).isEmpty();
    }
}
