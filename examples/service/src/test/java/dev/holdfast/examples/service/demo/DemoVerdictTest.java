package dev.holdfast.examples.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.service.demo.Outcome.InstanceOutcome;
import dev.holdfast.examples.service.demo.Outcome.Meters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a run is judged by, and how it is reported. */
@Tag("pure")
final class DemoVerdictTest {
    private static final Optional<Duration> SECOND = Optional.of(Duration.ofSeconds(1));

    private static Outcome outcome(
            Plan plan, int sold, int again, int refused, int byRestarted, Optional<Duration> killed) {
        List<InstanceOutcome> instances = List.of(
                new InstanceOutcome("shop-1", 40, Optional.of(new Meters(42, 1)), ""),
                new InstanceOutcome("shop-2", 7, Optional.empty(), "killed"),
                new InstanceOutcome("shop-2b", byRestarted, Optional.of(new Meters(9, 0)), ""));
        return new Outcome(
                plan, sold, again, 0, refused, 0, 4, 0, instances, killed, SECOND, Duration.ofMillis(16_530));
    }

    private static List<String> complaints(Outcome outcome) {
        return Verdict.on(outcome).complaints();
    }

    /** Every piece sold once, in spite of the incidents, is good; the report says so. */
    @Test
    void on_good() {
        Outcome good = outcome(Plan.FULL, 600, 0, 1, 5, SECOND);
        assertThat(Verdict.on(good).isGood()).isTrue();
        assertThat(new Report(good, Verdict.on(good)).lines())
                .contains(
                        "shop-1        40        42     1",
                        "shop-2         7         -     -  killed",
                        "sold                  600 of 600",
                        "time                  16.53 s",
                        "Verdict: every piece was sold once.");
    }

    /** With the lock, each of these is a complaint of its own. */
    @Test
    void on_bad() {
        assertThat(complaints(outcome(Plan.FULL, 600, 3, 1, 5, SECOND)))
                .containsExactly("3 sales were of a piece that had been sold before");
        assertThat(complaints(outcome(Plan.FULL, 599, 0, 1, 5, SECOND))).containsExactly("599 pieces were sold of 600");
        assertThat(complaints(outcome(Plan.FULL, 600, 0, 0, 5, SECOND)))
                .containsExactly("the stopped instance's late sale was not refused");
        assertThat(complaints(outcome(Plan.FULL, 600, 0, 1, 0, SECOND))).containsExactly("shop-2b has sold nothing");
        assertThat(complaints(outcome(Plan.FULL, 600, 0, 1, 5, Optional.empty())))
                .containsExactly("no instance was killed in the middle of a sale");
        assertThat(complaints(outcome(Plan.FULL, 600, 0, 1, 5, Optional.of(Duration.ofSeconds(9)))))
                .containsExactly("the lock of the killed instance stayed for too long");
    }

    /** Without the lock, a run must oversell, or it shows nothing. */
    @Test
    void on_withoutLock() {
        Plan unlocked = Plan.FULL.withoutLock();
        Outcome oversold = outcome(unlocked, 900, 300, 0, 5, Optional.empty());
        assertThat(complaints(oversold)).isEmpty();
        assertThat(new Report(oversold, Verdict.on(oversold)).lines())
                .contains("Verdict: without the lock, 300 sales were of a piece that had been sold before.");
        assertThat(complaints(outcome(unlocked, 600, 0, 0, 5, Optional.empty())))
                .containsExactly("no piece was sold twice, although there was no lock: the run shows nothing");
    }
}
