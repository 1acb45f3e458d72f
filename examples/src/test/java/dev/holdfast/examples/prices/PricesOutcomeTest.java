package dev.holdfast.examples.prices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The expectations of a run, the complaints when they are not met, and the table. */
class PricesOutcomeTest {
    private static final Tally SOME = new Tally(7, 0, 1_500);
    private static final PricesOutcome.Row WRITER = new PricesOutcome.Row("writer", true, SOME, SOME, SOME, false);

    private static PricesOutcome with(Tally before, Tally after, boolean killed) {
        return new PricesOutcome(
                List.of(WRITER, new PricesOutcome.Row("reader 1", false, before, Tally.NOTHING, after, killed)));
    }

    /** A reader that is killed counts no more then; any other one does. */
    @Test
    void complaints_none() {
        assertThat(with(SOME, SOME, false).complaints()).isEmpty();
        assertThat(with(SOME, Tally.NOTHING, true).complaints()).isEmpty();
    }

    /** Each unmet expectation is named, with the process. */
    @Test
    void complaints_nameEach() {
        assertThat(with(SOME.plus(false, 0), SOME, false).complaints())
                .containsExactly("reader 1 has seen 1 price lists that were not whole");
        assertThat(with(SOME, Tally.NOTHING, false).complaints())
                .containsExactly("reader 1 has not had the lock after the dead reader's lease");
        assertThat(with(Tally.NOTHING, SOME, false).complaints()).containsExactly("reader 1 has never had the lock");
    }

    /** The longest wait of each process is shown for each part of the run. */
    @Test
    void table_showsWaits() {
        assertThat(with(SOME.plus(true, 2_345_000), SOME, true).table())
                .anyMatch(line -> line.matches(" *writer +21 +1\\.5 ms +1\\.5 ms +1\\.5 ms"))
                .anyMatch(line -> line.matches(" *reader 1 +15 +2\\.3 ms +killed +0"));
    }

    /** What a process prints is read by its parent. */
    @Test
    void tally_isALine() {
        Tally tally = new Tally(3, 2, 1_000_000);
        assertThat(Tally.parse(tally.line().split(" ", -1))).isEqualTo(tally);
        assertThat(PriceList.isWhole(List.of(4L, 4L))).isTrue();
        assertThat(PriceList.isWhole(List.of(4L, 5L))).isFalse();
    }
}
