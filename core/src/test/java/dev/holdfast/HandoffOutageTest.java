package dev.holdfast;

import static dev.holdfast.BadDay.SOON;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.Direction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A row of handoffs is without an answer, and the network stays away: who releases is told so in time. */
class HandoffOutageTest {
    private static final String NAME = "orders:42";

    /** More connections than are made while a test has patience. */
    private static final int MANY = 1_000;

    @RegisterExtension
    final BadDay day = new BadDay();

    private final Holdfast client = day.client();

    /** Whose handoff has no answer is told after the command timeout, and not when there is a connection again. */
    @Test
    void unanswered_releaseFailsInTime() {
        Row row = Row.warm(day, client, NAME, 1);
        day.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<@Nullable Void> released = row.passOn();
        row.awaitOwnerInRedis();
        day.proxy().refuse();
        day.proxy().cutRst();

        assertUnanswered(released);

        day.proxy().accept();
        eventually(client::isConnected);
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
    }

    /** Nor is that different if connections come and go, and none lives long enough to put the row right. */
    @Test
    void unansweredAgain_releaseFailsInTime() {
        Row row = Row.warm(day, client, NAME, 1);
        day.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<@Nullable Void> released = row.passOn();
        row.awaitOwnerInRedis();
        for (int i = 0; i < MANY; i++) {
            day.proxy().cutInsteadOfReplyTo(row.ownerField());
        }
        day.proxy().cutRst();

        assertUnanswered(released);

        assertThat(day.proxy().lostReplies()).isPositive();
        day.proxy().heal();
        eventually(client::isConnected);
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
    }

    /** A handoff that is refused in its row is settled by the next connection; if none comes, that is told in time. */
    @Test
    void refused_releaseFailsInTime() {
        Row row = Row.warm(day, client, NAME, 1);
        day.server().command("SCRIPT", "FLUSH");
        day.proxy().refuse();
        CompletableFuture<@Nullable Void> released = row.passOn();

        assertUnanswered(released);

        day.proxy().accept();
        eventually(client::isConnected);
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
    }

    private static void assertUnanswered(CompletableFuture<?> release) {
        assertThatThrownBy(() -> get(release, SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining(NAME);
    }
}
