package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.FaultKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
                new Entry.Leg(1, 7, true, "1234567", "7.0.15", "2026-01-01T00:00:00Z"),
                new Entry.OfProcess("1/0.0", 0, 1, 2, 3, 4),
                new Entry.OfServers("1", 0, 1, 2, 3),
                new Entry.Minute(0, FaultKind.CUT_FIN, 500, 1_000));
        List<Entry> second = List.of(new Entry.Violation(1, List.of("one\ttab", "two")));
        new SoakJournal(file).append(first);
        new SoakJournal(file).append(second);

        assertThat(new SoakJournal(file).read())
                .containsExactly(first.get(0), first.get(1), first.get(2), first.get(3), second.get(0));
    }

    /** An incomplete last line is ignored, and not continued by the next entry. */
    @Test
    void append_afterIncomplete(@TempDir Path directory) throws IOException {
        SoakJournal journal = new SoakJournal(directory.resolve("soak.journal"));
        List<Entry> entries = List.of(new Entry.OfServers("1", 0, 1, 2, 3));
        journal.append(entries);
        Files.writeString(journal.file(), "OfServers\t1\t", StandardOpenOption.APPEND);
        assertThat(journal.read()).isEqualTo(entries);

        journal.append(entries);

        assertThat(journal.read()).hasSize(2).containsOnly(entries.get(0));
    }
}
