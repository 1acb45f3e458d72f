package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
final class EpochOpeningTest {
    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);
    private final AtomicInteger asked = new AtomicInteger();

    private void pass(Duration time) {
        Duration step = Duration.ofMillis(10);
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            timer.advance(step);
        }
    }

    /** A server that is the wrong one for a long time is asked a few times a second, and used soon when it is the right one. */
    @Test
    void notConfirmed_isAskedLessAndLess() {
        node.mayOpen = () -> {
            asked.incrementAndGet();
            return CompletableFuture.failedStage(new IOException("a replica"));
        };
        node.connect();
        node.fail(node.written().get(0), "NOPERM no CLIENT INFO");
        assertThat(asked).hasValue(1);
        pass(Duration.ofMillis(400));
        assertThat(asked).hasValueBetween(3, 4);

        pass(Duration.ofMinutes(1));

        assertThat(asked).hasValueBetween(100, 160);
        assertThat(node.link().isUp()).isFalse();

        node.mayOpen = () -> CompletableFuture.completedStage(null);
        pass(Duration.ofMillis(500));
        assertThat(node.link().isUp()).isTrue();
    }
}
