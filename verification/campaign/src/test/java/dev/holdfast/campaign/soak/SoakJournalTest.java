package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.FaultKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file with the entries of a soak. */
class SoakJournalTest {
    /** What is appended is read again, by each leg. */
    @Test
    void read_all(@TempDir Path directory) {
        Path file = directory.resolve("soak.journal");
        assertThat(new SoakJournal(file).read()).isEmpty();

        List<Entry> first = List.of(
                new Entry.Leg(1, 7, true, "7.0.15", "2026-01-01T00:00:00Z"),
                new Entry.OfProcess("1/0.0", 0, 1, 2, 3, 4),
                new Entry.OfServers("1", 0, 1, 2, 3),
                new Entry.Minute(0, FaultKind.CUT_FIN, 60_000, 500, 1_000));
        List<Entry> second = List.of(new Entry.Violation(1, List.of("one\ttab", "two")));
        new SoakJournal(file).append(first);
        new SoakJournal(file).append(second);

        assertThat(new SoakJournal(file).read())
                .containsExactly(first.get(0), first.get(1), first.get(2), first.get(3), second.get(0));
    }
}
