package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A connection ends with a chain of handoffs in flight, of which Redis has executed a given number: the last owner
 * holds the lock or learns that it is lost, and every release completes.
 */
@Tag("fault")
@Tag("driver")
@Tag("slow")
class ChainRepairTest {
    private static final String NAME = "orders:42";
    private static final int HANDOFFS = 3;

    /** How a connection ends. */
    enum End {
        FIN,
        RST,
        /** The requests that were not executed still arrive, after the client has given up the connection. */
        RST_LATE,
        /** Nothing is received any more, until the client gives up the connection. */
        SILENCE;

        /** From now on Redis executes nothing. */
        void stop(ProxiedConnection connection) {
            if (this == RST_LATE) {
                connection.holdRequests();
            } else {
                connection.blackHole(Direction.REQUESTS);
            }
        }

        void of(FaultyRedis faulty) {
            switch (this) {
                case FIN -> faulty.proxy().cutFin();
                case RST -> faulty.proxy().cutRst();
                case RST_LATE -> {
                    faulty.proxy().cutRst();
                    faulty.proxy().releaseRequests();
                }
                case SILENCE -> {} // already begun
            }
        }
    }

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    static Stream<Arguments> cases() {
        return Stream.of(
                Arguments.of(End.RST, 0),
                Arguments.of(End.RST, 1),
                Arguments.of(End.RST, 2),
                Arguments.of(End.RST, HANDOFFS),
                Arguments.of(End.RST_LATE, 0),
                Arguments.of(End.RST_LATE, 2),
                Arguments.of(End.FIN, 1),
                Arguments.of(End.SILENCE, 1));
    }

    /** The last owner of the chain holds the lock, even if Redis has not executed its handoff, and no call fails. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_holds(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 2);

        end.of(faulty);

        releases.forEach(FaultyRedis::get);
        scene.awaitOwnerInRedis();
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /**
     * If the last owner has released meanwhile, the next waiter gets the lock, though only with the next connection.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_nextHolds(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 1);
        faulty.proxy().refuse();
        end.of(faulty);
        CompletableFuture<?> last = scene.owner().releaseAsync();
        faulty.proxy().accept();

        Lease next = get(scene.next(), SOON);

        assertThat(next.isValid()).isTrue();
        get(last);
        releases.forEach(FaultyRedis::get);
        next.close();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** If the last owner has released meanwhile and there is no waiter, the lock is free, and no call fails. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_isFree(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 0);
        releases.add(scene.owner().releaseAsync());

        end.of(faulty);

        releases.forEach(FaultyRedis::get);
        eventually(() -> scene.inRedis().isEmpty());
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** If the key is gone, the last owner's hold is lost, and the next owner acquires the lock anew. */
    @ParameterizedTest
    @MethodSource("cases")
    void keyDeletedMeanwhile_lastOwnerIsNotified(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 1);
        faulty.proxy().refuse();
        end.of(faulty);
        faulty.server().command("DEL", NAME);
        faulty.proxy().accept();

        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.GONE);

        releases.forEach(FaultyRedis::get);
        assertThatThrownBy(scene.owner()::close).isInstanceOf(LeaseLostException.class);
        get(scene.next(), SOON).close();
        eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.GONE));
    }

    /** If another owner has the lock by then, the last owner's hold is lost for that reason. */
    @ParameterizedTest
    @MethodSource("cases")
    void takenMeanwhile_lastOwnerIsNotified(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 0);
        DistributedLock others = faulty.bystander().getLock(NAME);
        faulty.proxy().refuse();
        end.of(faulty);
        assertThat(others.forceUnlock()).isTrue();
        Lease taken = others.acquire();
        faulty.proxy().accept();

        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.TAKEN);

        releases.forEach(FaultyRedis::get);
        assertThatThrownBy(scene.owner()::close).isInstanceOf(LeaseLostException.class);
        assertThat(scene.inRedis()).isEqualTo(taken.toString());
        taken.close();
    }

    /** The repair does not begin an explicit lease anew, neither in the client nor in Redis. */
    @Test
    void explicitLease_isNotBegunAnew() {
        Duration lease = LONG.dividedBy(2);
        Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1, lease);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        releases.add(scene.handOff());
        long granted = System.nanoTime();
        scene.awaitOwnerInRedis();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> FaultyRedis.since(granted).compareTo(Duration.ofSeconds(1)) > 0);
        Duration left = lease.minus(FaultyRedis.since(granted));

        faulty.proxy().accept();
        releases.forEach(FaultyRedis::get);

        assertThat(scene.owner().remaining()).isPositive().isLessThanOrEqualTo(left);
        assertThat((Long) faulty.server().command("PTTL", NAME)).isPositive().isLessThanOrEqualTo(left.toMillis());
        scene.finish();
    }

    /** If the connection that repairs the chain ends before the reply, the connection after it completes the repair. */
    @ParameterizedTest
    @MethodSource("cases")
    void repairCut_lastOwnerHolds(End end, int executed) {
        HandoffScene scene = inFlight(end, executed, 1);
        // More than the two failing connections need; the surplus is removed.
        for (int i = 0; i < 1_000; i++) {
            faulty.proxy().cutInsteadOfReplyTo(scene.ownerField());
        }

        end.of(faulty);
        eventually(() -> faulty.proxy().lostReplies() >= 2);
        faulty.proxy().heal();

        releases.forEach(FaultyRedis::get);
        scene.awaitOwnerInRedis();
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** Makes a chain of unanswered handoffs of which this many are executed, with {@code left} waiters after it. */
    private HandoffScene inFlight(End end, int executed, int left) {
        // A silent connection is given up after the command timeout; in the other cases that must not interfere.
        Duration commandTimeout = end == End.SILENCE ? FaultyRedis.COMMAND_TIMEOUT.multipliedBy(4) : LONG.dividedBy(4);
        Holdfast client =
                faulty.client(builder -> builder.commandTimeout(commandTimeout).failoverTimeout(LONG.dividedBy(4)));
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, HANDOFFS + left);
        ProxiedConnection connection = faulty.commandConnection();
        connection.blackHole(Direction.REPLIES);
        for (int i = 0; i < executed; i++) {
            releases.add(scene.handOff());
        }
        scene.awaitOwnerInRedis();
        end.stop(connection);
        while (releases.size() < HANDOFFS) {
            releases.add(scene.handOff());
        }
        assertThat(releases).noneMatch(CompletableFuture::isDone);
        return scene;
    }
}
