package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.internal.hold.ConfirmationWait.Found;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Confirmation;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a reply is worth to several holds of which some can wait for longer than others. */
@Tag("pure")
final class ConfirmationWaitTest {
    private static final Duration ENDED = Duration.ofMillis(50);
    private static final Duration URGENT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);
    private final AtomicLong owners = new AtomicLong();

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost"),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK));

    private final Hold ended = kept(ENDED);
    private final Hold urgent = kept(URGENT);
    private final Hold patient = kept(LONG);
    private final ConfirmationWait wait;

    ConfirmationWaitTest() {
        node.start();
        timer.advance(ENDED.plusMillis(1));
        Session session = parts.holds().session();
        wait = new ConfirmationWait(session, List.of(ended, urgent, patient));
    }

    private Hold kept(Duration lease) {
        Hold hold = parts.hold(owners.incrementAndGet());
        parts.holds().keep(hold, timer.nanoTime(), LeaseRequest.explicit(lease));
        return hold;
    }

    /** {@return a call that the node has answered} */
    private Call answered() {
        CompletableFuture<Call> answered = new CompletableFuture<>();
        node.link().send(Call.of(CommandType.PING, answered::complete));
        node.reply(1);
        return answered.join();
    }

    /** An answer counts for all of them. */
    @ParameterizedTest
    @EnumSource(Confirmation.class)
    void answer_isTheSameForAll(Confirmation answer) {
        node.confirmBy(answer);
        assertThat(wait.answer(answered()))
                .isCompletedWithValueMatching(found -> List.of(ended, urgent, patient).stream()
                        .allMatch(hold -> wait.isBelieved(hold, found) == (answer != Confirmation.REPLACED)));
    }

    /** Without one, the reply counts for those that cannot wait for another reply. */
    @Test
    void noAnswer_urgentOnesBelieveTheReply() {
        assertThat(wait.answer(answered())).succeedsWithin(LONG).isEqualTo(Found.TOO_LATE);
        assertThat(wait.isBelieved(urgent, Found.TOO_LATE)).isTrue();
        assertThat(wait.isBelieved(ended, Found.TOO_LATE)).isTrue();
        assertThat(wait.isBelieved(patient, Found.TOO_LATE)).isFalse();
    }
}
