package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much of a node is used in a second. */
@Tag("pure")
final class NodeBudgetTest {
    private final AtomicLong nanos = new AtomicLong(5);
    private final NodeBudget budget = new NodeBudget(nanos::get);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** No more commands are sent than a second has, in batches of at most a hundred. */
    @Test
    void commands() {
        assertThat(budget.begin()).isTrue();
        int sent = 0;
        for (int batch = budget.nextBatch(1); batch > 0; batch = budget.nextBatch(1)) {
            assertThat(batch).isLessThanOrEqualTo(100);
            budget.spend(batch, () -> {});
            sent += batch;
        }
        assertThat(sent).isEqualTo(2_000);
        assertThat(budget.begin()).isFalse();
        pass(Duration.ofMillis(999));
        assertThat(budget.begin()).isFalse();
        assertThat(budget.untilNext()).isEqualTo(Duration.ofMillis(1));
        pass(Duration.ofMillis(1));
        assertThat(budget.begin()).isTrue();
        assertThat(budget.nextBatch(3)).isEqualTo(33);
    }

    /** When the node has taken the time of a second for its answers, also for one that failed, nothing more is sent. */
    @Test
    void time() {
        assertThat(budget.begin()).isTrue();
        budget.spend(1, () -> pass(Duration.ofMillis(60)));
        pass(Duration.ofMillis(300));
        assertThat(budget.nextBatch(1)).isEqualTo(100);
        assertThat(catchThrowable(() -> budget.spend(1, () -> {
                    pass(Duration.ofMillis(40));
                    throw new IllegalStateException("no answer");
                })))
                .hasMessage("no answer");
        assertThat(budget.nextBatch(1)).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(budget.begin()).isTrue();
        assertThat(budget.nextBatch(1)).isEqualTo(100);
    }
}
