package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.SOON;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A connection ends with a row of handoffs in flight, of which Redis has executed so many and no more: the last owner has
 * the lock, or is told that it has not, and everybody who released is done.
 */
class CutRowTest {
    private static final String NAME = "orders:42";
    private static final int HANDOFFS = 3;

    /** How a connection ends. */
    enum End {
        FIN,
        RST,
        /** The requests that were not executed still arrive, when the client has given them up. */
        RST_LATE,
        /** Nothing is heard any more, until the client gives it up. */
        SILENCE;

        /** From now on nothing is executed. */
        void stop(ProxiedConnection connection) {
            if (this == RST_LATE) {
                connection.holdRequests();
            } else {
                connection.blackHole(Direction.REQUESTS);
            }
        }

        void of(BadDay day) {
            switch (this) {
                case FIN -> day.proxy().cutFin();
                case RST -> day.proxy().cutRst();
                case RST_LATE -> {
                    day.proxy().cutRst();
                    day.proxy().releaseRequests();
                }
                case SILENCE -> {} // it has begun
            }
        }
    }

    @RegisterExtension
    final BadDay day = new BadDay();

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

    /** The last owner of the row has the lock, though Redis may not have heard of it, and nobody is told anything. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_holds(End end, int executed) {
        Row row = inFlight(end, executed, 2);

        end.of(day);

        releases.forEach(BadDay::get);
        row.awaitOwnerInRedis();
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** If it has released meanwhile, the next one has the lock, though that one's turn comes only with a connection. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_nextHolds(End end, int executed) {
        Row row = inFlight(end, executed, 1);
        day.proxy().refuse();
        end.of(day);
        CompletableFuture<?> last = row.owner().releaseAsync();
        day.proxy().accept();

        Lease next = get(row.next(), SOON);

        assertThat(next.isValid()).isTrue();
        get(last);
        releases.forEach(BadDay::get);
        next.close();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** If it has released meanwhile and nobody waits, the lock is free. */
    @ParameterizedTest
    @MethodSource("cases")
    void lastOwner_releasesMeanwhile_isFree(End end, int executed) {
        Row row = inFlight(end, executed, 0);
        releases.add(row.owner().releaseAsync());

        end.of(day);

        if (end == End.SILENCE) {
            // Its own release is younger than the silence of the connection, and could be sent again in time on
            // another.
            day.proxy().refuse();
            CompletableFuture<?> last = releases.remove(HANDOFFS);
            assertThatThrownBy(() -> get(last)).isInstanceOf(LockException.class);
            day.proxy().accept();
        }
        releases.forEach(BadDay::get);
        eventually(() -> row.inRedis().isEmpty());
        assertThat(day.heard().lost()).isEmpty();
    }

    /** If the key is gone, the last owner is told, and who comes next takes the lock anew. */
    @ParameterizedTest
    @MethodSource("cases")
    void keyDeletedMeanwhile_lastOwnerIsTold(End end, int executed) {
        Row row = inFlight(end, executed, 1);
        day.proxy().refuse();
        end.of(day);
        day.server().command("DEL", NAME);
        day.proxy().accept();

        assertThat(get(row.owner().lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.GONE);

        releases.forEach(BadDay::get);
        assertThatThrownBy(row.owner()::close).isInstanceOf(LeaseLostException.class);
        get(row.next(), SOON).close();
        eventually(() -> assertThat(day.heard().lost()).containsExactly(LossReason.GONE));
    }

    /** If somebody else has it by then, the last owner is told so. */
    @ParameterizedTest
    @MethodSource("cases")
    void takenMeanwhile_lastOwnerIsTold(End end, int executed) {
        Row row = inFlight(end, executed, 0);
        DistributedLock others = day.bystander().getLock(NAME);
        day.proxy().refuse();
        end.of(day);
        assertThat(others.forceUnlock()).isTrue();
        Lease taken = others.acquire();
        day.proxy().accept();

        assertThat(get(row.owner().lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.TAKEN);

        releases.forEach(BadDay::get);
        assertThatThrownBy(row.owner()::close).isInstanceOf(LeaseLostException.class);
        assertThat(row.inRedis()).isEqualTo(taken.toString());
        taken.close();
    }

    /** The connection that puts the row right may end before it can tell; then the one after it does. */
    @ParameterizedTest
    @MethodSource("cases")
    void repairCut_lastOwnerHolds(End end, int executed) {
        Row row = inFlight(end, executed, 1);
        // More than the two connections that are to end need; what is over is taken back.
        for (int i = 0; i < 1_000; i++) {
            day.proxy().cutInsteadOfReplyTo(row.ownerField());
        }

        end.of(day);
        eventually(() -> day.proxy().lostReplies() >= 2);
        day.proxy().heal();

        releases.forEach(BadDay::get);
        row.awaitOwnerInRedis();
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** Makes a row with that many left in line, and handoffs in it without answer, of which only so many are executed. */
    private Row inFlight(End end, int executed, int left) {
        // A connection that is silent is given up after the command timeout, and otherwise that must not come in
        // between.
        Holdfast client = day.client(builder -> builder.commandTimeout(
                end == End.SILENCE ? BadDay.COMMAND_TIMEOUT.multipliedBy(2) : LONG.dividedBy(4)));
        Row row = Row.warm(day, client, NAME, HANDOFFS + left);
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
