package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisConnectionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The server refuses a connection, which is closed before the driver has looked at the handshake, or has recorded the
 * refusal: the driver has lost the reason then, and a second connection tells it.
 */
@Tag("pure")
@Tag("driver")
final class LostReasonTest {
    private final Exception lost = new RedisConnectionException(
            "Unable to connect", new IllegalStateException("RedisHandshakeHandler not registered"));
    private final Exception closed = new RedisConnectionException(
            "Unable to connect", new RedisConnectionException("Connection closed prematurely"));
    private final Exception refused = new RedisConnectionException("NOAUTH HELLO must be called");

    private static CompletionStage<String> connected(Deque<Exception> failures) {
        return Driver.connected(() -> failures.isEmpty()
                ? CompletableFuture.completedFuture("up")
                : CompletableFuture.failedFuture(failures.pop()));
    }

    @Test
    void lost_isAskedForAgain() {
        for (Exception first : List.of(lost, closed)) {
            assertThat(connected(new ArrayDeque<>(List.of(first, refused))))
                    .failsWithin(0, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCause(refused);
            assertThat(connected(new ArrayDeque<>(List.of(first)))).isCompletedWithValue("up");
        }
    }

    /** Once: what is lost again stays lost, and what is known is not asked for. */
    @Test
    void othersAreReported() {
        Deque<Exception> failures = new ArrayDeque<>(List.of(lost, lost, refused));
        assertThat(connected(failures)).isCompletedExceptionally();
        assertThat(failures).containsExactly(refused);

        assertThat(connected(failures)).isCompletedExceptionally();
        assertThat(failures).isEmpty();
    }
}
