package dev.holdfast.fault;

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
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A connection ends with a chain of handoffs in flight, of which Redis has executed a given number: the last owner
 * holds the lock or learns that it is lost, and every release completes.
 */
@Tag("fault")
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

        void of(FaultyRedis day) {
            switch (this) {
                case FIN -> day.proxy().cutFin();
                case RST -> day.proxy().cutRst();
                case RST_LATE -> {
                    day.proxy().cutRst();
                    day.proxy().releaseRequests();
                }
                case SILENCE -> {} // already begun
            }
        }
    }

    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

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
        HandoffScene row = inFlight(end, executed, 2);

        end.of(day);

        releases.forEach(FaultyRedis::get);
        row.awaitOwnerInRedis();
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
        assertThat(day.heard().lost()).isEmpty();
    }

    /**
     * If the last owner has released meanwhile, the next waiter gets the lock, though only with the next connection.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_nextHolds(End end, int executed) {
        HandoffScene row = inFlight(end, executed, 1);
        day.proxy().refuse();
        end.of(day);
        CompletableFuture<?> last = row.owner().releaseAsync();
        day.proxy().accept();

        Lease next = get(row.next(), SOON);

        assertThat(next.isValid()).isTrue();
        get(last);
        releases.forEach(FaultyRedis::get);
        next.close();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** If the last owner has released meanwhile and there is no waiter, the lock is free. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_isFree(End end, int executed) {
        HandoffScene row = inFlight(end, executed, 0);
        releases.add(row.owner().releaseAsync());

        end.of(day);

        if (end == End.SILENCE) {
            // Its own release is younger than the silence of the connection, and could be sent again in time over
            // another one.
            day.proxy().refuse();
            CompletableFuture<?> last = releases.remove(HANDOFFS);
            assertThatThrownBy(() -> get(last)).isInstanceOf(LockException.class);
            day.proxy().accept();
        }
        releases.forEach(FaultyRedis::get);
        eventually(() -> row.inRedis().isEmpty());
        assertThat(day.heard().lost()).isEmpty();
    }

    /** If the key is gone, the last owner's hold is lost, and the next owner acquires the lock anew. */
    @ParameterizedTest
    @MethodSource("cases")
    void keyDeletedMeanwhile_lastOwnerIsNotified(End end, int executed) {
        HandoffScene row = inFlight(end, executed, 1);
        day.proxy().refuse();
        end.of(day);
        day.server().command("DEL", NAME);
        day.proxy().accept();

        assertThat(get(row.owner().lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.GONE);

        releases.forEach(FaultyRedis::get);
        assertThatThrownBy(row.owner()::close).isInstanceOf(LeaseLostException.class);
        get(row.next(), SOON).close();
        eventually(() -> assertThat(day.heard().lost()).containsExactly(LossReason.GONE));
    }

    /** If another owner has the lock by then, the last owner's hold is lost for that reason. */
    @ParameterizedTest
    @MethodSource("cases")
    void takenMeanwhile_lastOwnerIsNotified(End end, int executed) {
        HandoffScene row = inFlight(end, executed, 0);
        DistributedLock others = day.bystander().getLock(NAME);
        day.proxy().refuse();
        end.of(day);
        assertThat(others.forceUnlock()).isTrue();
        Lease taken = others.acquire();
        day.proxy().accept();

        assertThat(get(row.owner().lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.TAKEN);

        releases.forEach(FaultyRedis::get);
        assertThatThrownBy(row.owner()::close).isInstanceOf(LeaseLostException.class);
        assertThat(row.inRedis()).isEqualTo(taken.toString());
        taken.close();
    }

    /** If the connection that repairs the chain ends before the reply, the connection after it completes the repair. */
    @ParameterizedTest
    @MethodSource("cases")
    void repairCut_lastOwnerHolds(End end, int executed) {
        HandoffScene row = inFlight(end, executed, 1);
        // More than the two failing connections need; the surplus is removed.
        for (int i = 0; i < 1_000; i++) {
            day.proxy().cutInsteadOfReplyTo(row.ownerField());
        }

        end.of(day);
        eventually(() -> day.proxy().lostReplies() >= 2);
        day.proxy().heal();

        releases.forEach(FaultyRedis::get);
        row.awaitOwnerInRedis();
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** Makes a chain of unanswered handoffs of which this many are executed, with {@code left} waiters after it. */
    private HandoffScene inFlight(End end, int executed, int left) {
        // A silent connection is given up after the command timeout; in the other cases that must not interfere.
        Holdfast client = day.client(builder -> builder.commandTimeout(
                end == End.SILENCE ? FaultyRedis.COMMAND_TIMEOUT.multipliedBy(2) : LONG.dividedBy(4)));
        HandoffScene row = HandoffScene.warm(day, client, NAME, HANDOFFS + left);
        ProxiedConnection connection = day.commandConnection();
        connection.blackHole(Direction.REPLIES);
        for (int i = 0; i < executed; i++) {
            releases.add(row.passOn());
        }
        row.awaitOwnerInRedis();
        end.stop(connection);
        while (releases.size() < HANDOFFS) {
            releases.add(row.passOn());
        }
        assertThat(releases).noneMatch(CompletableFuture::isDone);
        return row;
    }
}
