package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTest {
    /** The parent reads what a process writes. */
    @ParameterizedTest
    @MethodSource("messages")
    void parse_readsWhatWasWritten(Message message) {
        assertThat(message.line()).doesNotContain("\n");
        assertThat(Message.parse(message.line())).isEqualTo(message);
    }

    static Stream<Message> messages() {
        return Stream.of(
                new Message.Ready(),
                new Message.Acquired(Duration.ofNanos(1_234_567), 42),
                new Message.Holding(),
                new Message.LongSaleBegun(),
                new Message.Renewed(),
                new Message.LongSaleEnded(Duration.ofMillis(9_001), 8, true),
                new Message.Done(8, 0),
                new Message.Failed("a reason of several words"));
    }

    /** Any other line is rejected with an exception that quotes it. */
    @Test
    void parse_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Message.parse("Hello there"))
                .withMessageContaining("Hello there");
    }
}
