package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.run.Ending;
import dev.holdfast.campaign.schedule.FaultKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judgement of the journal of a soak. */
class JudgementTest {
    private static final int SAMPLES = 10;
    private static final int HOUR = 60;

    private final List<Entry> entries = new ArrayList<>();

    /** @param leak what the process keeps of each minute */
    private void play(String series, int minutes, long leak) {
        String leg = series.substring(0, series.indexOf('/'));
        for (int minute = 0; minute < minutes; minute++) {
            entries.add(new Entry.OfProcess(series, minute, 10_000_000 + leak * minute, 30, 50, 0));
            entries.add(new Entry.OfServers(leg, minute, 16, 0, 7));
            entries.add(new Entry.Minute(minute, FaultKind.CUT_FIN, 500, 1_000));
        }
    }

    private Judgement judgement() {
        return Judgement.of(entries, SAMPLES);
    }

    /** Nothing grows, and the time is over. */
    @Test
    void of_noLeak() {
        play("1/0.0", 60, 0);

        assertThat(judgement().violations()).isEmpty();
        assertThat(judgement().played()).isEqualTo(HOUR);
        assertThat(judgement().rows()).hasSize(6);
        assertThat(judgement().ending(HOUR, false)).isEqualTo(Ending.GOOD);
    }

    /** The heap of one process grows. */
    @Test
    void of_leak() {
        play("1/0.0", 60, 50_000);

        assertThat(judgement().violations())
                .singleElement()
                .asString()
                .startsWith("process 1/0.0: heap after a collection (KiB) grow");
        assertThat(judgement().ending(HOUR, false)).isEqualTo(Ending.VIOLATED);
    }

    /** Each measure that grows is one violation. */
    @Test
    void of_eachMeasure() {
        for (int minute = 0; minute < 60; minute++) {
            entries.add(
                    new Entry.OfProcess("1/0.0", minute, 10_000_000 + 50_000 * minute, 30 + minute, 50 + minute, 0));
            entries.add(new Entry.OfServers("1", minute, 16 + minute, minute, 7 + minute));
        }

        assertThat(judgement().violations()).hasSize(Measure.values().length);
    }

    /** The process that replaces another one begins a series of its own, and a short one has no trend. */
    @Test
    void of_replaced() {
        play("1/3.0", 30, 0);
        entries.add(new Entry.OfProcess("1/3.1", 30, 20_000_000, 60, 100, 0));

        assertThat(judgement().violations()).isEmpty();
        assertThat(judgement().tooShort()).containsExactly("process 1/3.1");
    }

    /** What was seen while it ran is a violation, whatever the trends. */
    @Test
    void of_seen() {
        play("1/0.0", 60, 0);
        entries.add(new Entry.Violation(7, List.of("left: key a", "no work")));

        assertThat(judgement().violations()).containsExactly("minute 7: left: key a", "minute 7: no work");
        assertThat(judgement().ending(HOUR, true)).isEqualTo(Ending.VIOLATED);
    }

    /** A soak that is not over, or of which nothing could be judged, is undecided; one whose leg failed is cut short. */
    @Test
    void ending_notOver() {
        play("1/0.0", 59, 0);

        assertThat(judgement().ending(HOUR, false)).isEqualTo(Ending.UNDECIDED);
        assertThat(judgement().ending(HOUR, true)).isEqualTo(Ending.CUT_SHORT);

        entries.clear();
        entries.add(new Entry.Minute(0, FaultKind.CUT_FIN, 500, 1_000));
        assertThat(judgement().ending(1, false)).isEqualTo(Ending.UNDECIDED);
    }

    /** Legs that are too short to be judged may have half of the minutes, and no more. */
    @Test
    void ending_shortLegs() {
        play("1/0.0", 28, 0);
        for (int leg = 2; leg <= 5; leg++) {
            play(leg + "/0.0", 8, 0);
        }
        assertThat(judgement().played()).isEqualTo(HOUR);
        assertThat(judgement().ending(HOUR, false)).isEqualTo(Ending.UNDECIDED);
        assertThat(judgement().ending(56, false)).isEqualTo(Ending.GOOD);
    }
}
