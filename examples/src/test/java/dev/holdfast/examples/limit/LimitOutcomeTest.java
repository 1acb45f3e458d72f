package dev.holdfast.examples.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The expectations of a run, the complaints when they are not met, and the table. */
class LimitOutcomeTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Count FULL = new Count(List.of(70, 1_500), 2, 0);
    private static final Count ONE_DEAD = new Count(List.of(9, 0), 1, 0);

    private static LimitOutcome of(Count before, Count during, Count after, Duration back) {
        return new LimitOutcome(2, LEASE, before, during, after, back);
    }

    /** The worker that was killed has no calls afterwards; its permit comes back when what is left of its lease has run out. */
    @Test
    void complaints_none() {
        assertThat(of(FULL, ONE_DEAD, new Count(List.of(80, 0), 2, 0), LEASE).complaints())
                .isEmpty();
        assertThat(of(FULL, ONE_DEAD, FULL, Duration.ofMillis(1_500)).complaints())
                .isEmpty();
    }

    /** More calls at once than there are permits, or fewer, in each part of the run. */
    @Test
    void complaints_calls() {
        assertThat(of(new Count(FULL.calls(), 3, 0), ONE_DEAD, FULL, LEASE).complaints())
                .containsExactly("3 calls at once before the kill, in place of 2");
        assertThat(of(FULL, FULL, FULL, LEASE).complaints())
                .containsExactly("2 calls at once until the permit was back, in place of 1");
        assertThat(of(FULL, ONE_DEAD, new Count(FULL.calls(), 1, 0), LEASE).complaints())
                .containsExactly("1 calls at once after it, in place of 2");
        assertThat(of(new Count(FULL.calls(), 2, 5), ONE_DEAD, FULL, LEASE).complaints())
                .containsExactly("5 calls before the kill with the number of another call");
    }

    /** A worker without a call, before the kill or after it. */
    @Test
    void complaints_workers() {
        assertThat(of(new Count(List.of(0, 8), 2, 0), ONE_DEAD, FULL, LEASE).complaints())
                .containsExactly("worker 1 has never had a permit");
        assertThat(of(FULL, ONE_DEAD, new Count(List.of(0, 0), 2, 0), LEASE).complaints())
                .containsExactly("worker 1 has not had a permit after the kill");
    }

    /** A permit that comes back before its lease can have run out, or long after. */
    @Test
    void complaints_permit() {
        assertThat(of(FULL, ONE_DEAD, FULL, Duration.ofMillis(1_490)).complaints())
                .containsExactly("the permit was back after 1.49 s, with a lease of 3.00 s");
        assertThat(of(FULL, ONE_DEAD, FULL, Duration.ofMillis(5_010)).complaints())
                .containsExactly("the permit was back after 5.01 s, with a lease of 3.00 s");
    }

    /** The calls of each worker, and the most at once, are shown for each part of the run. */
    @Test
    void table_showsCalls() {
        assertThat(of(FULL, ONE_DEAD, FULL, LEASE).table())
                .anyMatch(line -> line.matches(" *worker 1 +70 +9 +70"))
                .anyMatch(line -> line.matches(" *worker 2 +1,500 +killed"))
                .anyMatch(line -> line.matches(" *most at once +2 +1 +2"));
    }
}
