package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release is put off while those who want the lock are on their way back, and no longer. */
final class IdleLockTest {
    private static final String NAME = "orders:42";

    private static final String CHANNEL = "redisson_lock__channel:{orders:42}";

    /** Longer than any who want the lock take to come back. */
    private static final Duration ROUND_TRIP = Duration.ofMillis(500);

    @RegisterExtension
    final BadDay day = new BadDay();

    private final Holdfast client = day.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    /** Who comes while the lock is idle gets it at once, before Redis has answered anything, and nobody let go of it. */
    @Test
    void whoComes_getsIt() {
        ProxiedConnection connection = idle();

        Lease next = get(client.getLock(NAME).acquireAsync());

        assertThat(releases).noneMatch(CompletableFuture::isDone);
        assertThat(next.isValid()).isTrue();
        assertThat(day.server().keys()).contains(NAME);
        connection.heal();
        releases.forEach(BadDay::get);
        next.close();
    }

    /** If nobody comes back, the lock is released when those who released it before have been answered. */
    @Test
    void nobodyComes_isReleased() {
        ProxiedConnection connection = idle();
        assertThat(day.server().keys()).contains(NAME);

        connection.heal();

        releases.forEach(BadDay::get);
        eventually(() -> !day.server().keys().contains(NAME));
        assertThat(day.heard().lost()).isEmpty();
    }

    /** The end of the connection ends the putting off: the lock is released on the next one. */
    @Test
    void connectionLost_isReleased() {
        idle().cutRst();

        releases.forEach(BadDay::get);
        eventually(() -> !day.server().keys().contains(NAME));
        assertThat(day.heard().lost()).isEmpty();
    }

    /** A lock that vanished while it was idle is told to who gave it back last, whose turn nobody had after that. */
    @Test
    void vanished_nobodyHasIt() {
        ProxiedConnection connection = idle();
        day.server().command("DEL", NAME);

        connection.heal();

        CompletableFuture<?> last = releases.remove(releases.size() - 1);
        releases.forEach(BadDay::get);
        eventually(last::isCompletedExceptionally);
        eventually(() -> assertThat(day.heard().lost()).containsExactly(LossReason.GONE));
    }

    /** One who just asks whether the lock is free, for whatever reason, will find that it is not, and is not passed over. */
    @Test
    void tryUnderWay_getsItAfterwards() {
        Row row = Row.warm(day, client, NAME, 3);
        ProxiedConnection connection = day.commandConnection();
        connection.blackHole(Direction.REPLIES);
        releases.add(row.passOn());
        releases.add(row.passOn());
        row.awaitOwnerInRedis();
        long before = day.proxy().commands("EVALSHA");
        day.server().command("PUBLISH", CHANNEL, "0");
        eventually(() -> day.proxy().commands("EVALSHA") == before + 1);

        releases.add(row.owner().releaseAsync());
        CompletableFuture<?> sentBehind = client.getLock("other").isLockedAsync();

        eventually(() -> day.proxy().commands("EVALSHA") > before + 1);
        assertThat(day.proxy().commands("EVALSHA")).isEqualTo(before + 2);
        connection.heal();
        Lease last = get(row.next());
        releases.forEach(BadDay::get);
        get(sentBehind);
        last.close();
    }

    /** Though each of its releases is put off, a client hears that another one waits, and ends its turn. */
    @Test
    void otherClient_isLetIn() {
        Row row = Row.warm(day, client, NAME, 2);
        ProxiedConnection connection = day.commandConnection();
        long asked = connection.commands("PUBSUB");
        connection.delay(Direction.REPLIES, ROUND_TRIP);
        releases.add(row.passOn());
        releases.add(row.passOn());
        releases.add(row.owner().releaseAsync());
        row.awaitOwnerInRedis();
        assertThat(connection.commands("PUBSUB"))
                .as("asked once, before anybody else came")
                .isEqualTo(asked + 1);

        CompletableFuture<?> other =
                day.bystander().getLock(NAME).acquireAsync().thenCompose(Lease::releaseAsync);
        eventually(() -> {
            releases.add(get(client.getLock(NAME).acquireAsync()).releaseAsync());
            return other.isDone();
        });

        get(other);
        releases.forEach(BadDay::get);
    }

    /** A client that is closed puts nothing off. */
    @Test
    void closed_isReleased() {
        ProxiedConnection connection = idle();

        CompletableFuture<?> closing = BadDay.elsewhere(() -> {
            day.close(client);
            return true;
        });

        eventually(() -> !day.server().keys().contains(NAME));
        connection.heal();
        get(closing);
    }

    /** Three have had the lock one after the other, and no answer has come about any of their releases. */
    private ProxiedConnection idle() {
        Row row = Row.warm(day, client, NAME, 2);
        ProxiedConnection connection = day.commandConnection();
        connection.blackHole(Direction.REPLIES);
        releases.add(row.passOn());
        releases.add(row.passOn());
        row.awaitOwnerInRedis();
        releases.add(row.owner().releaseAsync());
        return connection;
    }
}
