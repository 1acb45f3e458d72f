package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.shop.Outcome.Accident;
import dev.holdfast.examples.shop.Outcome.End;
import dev.holdfast.examples.shop.Outcome.LongSale;
import dev.holdfast.examples.shop.Outcome.SellerOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Plan PLAN =
            new Plan(true, 2, 1, 2, Duration.ofSeconds(1), Duration.ofMillis(1), 0, Topology.STANDALONE);

    /** A row for each process and one for all; then the totals and incidents; the verdict last. */
    @Test
    void lines_underTheLock() {
        assertThat(lines(outcome(PLAN, "1 2", "2 1")))
                .containsExactly(
                        "",
                        "process  sold  acquired  wait p50 (ms)  wait p99 (ms)  renewals  lost       end",
                        "-------  ----  --------  -------------  -------------  --------  ----  --------",
                        "      1     1         2            4.0         1500.0         -     -    killed",
                        "      2     1         1            6.0            6.0         8     0  finished",
                        "    all     2         3            6.0         1500.0         8     0",
                        "",
                        "sold                  2 of 2",
                        "oversold              0",
                        "left                  0",
                        "killed holder's lock  process 1; stayed 0.99 s (at most 2.00 s)",
                        "long sale             process 2; held the lock for 3.00 s, renewed 8 times, never lost",
                        "time                  12.50 s",
                        "",
                        "Verdict: every item was sold once.");
    }

    /** Unmet expectations are listed before the verdict. */
    @Test
    void lines_flawed() {
        assertThat(lines(outcome(PLAN, "1 2", "2 2")))
                .endsWith("OFF: 1 sales were of an item that had been sold before", "Verdict: not as it must be.");
    }

    /** Without the lock the verdict states how many sales were oversold. */
    @Test
    void lines_withoutLock() {
        assertThat(lines(outcome(PLAN.withoutLock(), "1 2", "2 2", "2 1")))
                .contains("oversold              1")
                .endsWith("Verdict: without the lock, 1 sales were of an item that had been sold before.");
    }

    private static List<String> lines(Outcome outcome) {
        return new Report(outcome, Verdict.on(outcome)).lines();
    }

    private static Outcome outcome(Plan plan, String... ledger) {
        Waits two = Waits.of(List.of(Duration.ofMillis(4), Duration.ofMillis(1_500)));
        Waits one = Waits.of(List.of(Duration.ofMillis(6)));
        return new Outcome(
                plan,
                Ledger.parse(List.of(ledger)),
                0,
                Duration.ofMillis(12_500),
                List.of(
                        new SellerOutcome(1, two, 0, 0, End.KILLED, ""),
                        new SellerOutcome(2, one, 8, 0, End.FINISHED, "")),
                Optional.of(new Accident(1, Optional.of(Duration.ofMillis(990)))),
                Optional.of(new LongSale(2, Duration.ofSeconds(3), 8, true)),
                Optional.empty());
    }
}
