package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages on the pipe between a worker and its parent. */
class MessagesTest {
    static Stream<Order> orders() {
        return Stream.of(
                new Order.Begin(42, 1, 2, "redis://127.0.0.1:6379", Path.of("/a path/client-1.journal")),
                new Order.Stop(),
                new Order.Close());
    }

    static Stream<Answer> answers() {
        return Stream.of(
                new Answer.Ready(),
                new Answer.Begun(),
                new Answer.Stopped(),
                new Answer.Closed(),
                new Answer.Failed("it is over:\tnot a line\nof its own"));
    }

    /** Every message is read as it was written. */
    @ParameterizedTest
    @MethodSource("orders")
    void order_roundTrip(Order order) {
        assertThat(Order.LINES.read(Order.LINES.write(order))).isEqualTo(order);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answer_roundTrip(Answer answer) {
        assertThat(Answer.LINES.read(Answer.LINES.write(answer))).isEqualTo(answer);
    }

    /** An unknown message is rejected, and the exception names it. */
    @Test
    void read_other() {
        assertThatThrownBy(() -> Order.LINES.read("dance")).hasMessageContaining("dance");
        assertThatThrownBy(() -> Answer.LINES.read("dance")).hasMessageContaining("dance");
    }

    /** A process that replaces another has a name of its own. */
    @Test
    void process_ofGenerations() {
        assertThat(new Order.Begin(1, 0, 0, "uri", Path.of("j")).process()).isEqualTo("client-0");
        assertThat(new Order.Begin(1, 0, 1, "uri", Path.of("j")).process()).isEqualTo("client-0.1");
    }
}
