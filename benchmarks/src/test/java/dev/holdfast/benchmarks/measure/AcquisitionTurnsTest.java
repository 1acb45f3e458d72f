package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.measure.Turns.Share;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The turns in a sequence of acquisitions. */
class AcquisitionTurnsTest {
    /** The sequence A A B A, recorded in any order: A has two turns with three acquisitions, B has one. */
    @Test
    void of_sequenceOfAcquisitions_countsTurns() {
        Turns turns = Turns.of(List.of(held(1, 30, 35), held(0, 10, 12), held(0, 40, 41), held(0, 20, 22)), 3);

        assertThat(turns.shares()).containsExactly(new Share(2, 3, 5), new Share(1, 1, 5), new Share(0, 0, 0));
        assertThat(turns.turns()).isEqualTo(3);
        assertThat(turns.nanos()).isEqualTo(30);
    }

    /** Percentages refer to all clients. */
    @Test
    void percent_ofOneClient_isOfAll() {
        Turns turns = Turns.of(List.of(held(0, 10, 12), held(0, 20, 22), held(0, 30, 32), held(1, 40, 46)), 2);

        assertThat(turns.turnsPercent(1)).isEqualTo(50);
        assertThat(turns.acquisitionsPercent(1)).isEqualTo(25);
        assertThat(turns.heldPercent(1)).isEqualTo(50);
    }

    /** A shared journal returns the entries of all processes that appended to it. */
    @Test
    void entries_ofASharedJournal_areThoseOfAllProcesses(@TempDir Path directory) {
        Path file = directory.resolve("journal");
        Journal one = Journal.shared(file);
        Journal other = Journal.shared(file);

        one.add(held(0, 10, 12));
        other.add(held(1, 20, 22));
        one.add(held(0, 30, 32));

        assertThat(Journal.shared(file).entries()).containsExactly(held(0, 10, 12), held(1, 20, 22), held(0, 30, 32));
    }

    private static Journal.Entry held(int client, long entered, long left) {
        return new Journal.Entry(client, 0, entered, left);
    }
}
