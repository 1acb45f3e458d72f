package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long nobody acquired a lock. */
class AcquisitionStandstillTest {
    /** The longest time between two acquisitions by anybody, in whatever order they were recorded. */
    @Test
    void of_acquisitions_isTheLongestTimeBetweenTwo() {
        assertThat(Standstill.of(List.of(held(0, 10, 12), held(1, 55, 56), held(0, 20, 50)), 0, 60))
                .isEqualTo(new Standstill(35, 0));
    }

    /** The time before the first acquisition counts, and that after the last. */
    @Test
    void of_acquisitions_endsAreCounted() {
        assertThat(Standstill.of(List.of(held(0, 40, 41), held(0, 50, 51)), 0, 60)
                        .longest())
                .isEqualTo(40);
        assertThat(Standstill.of(List.of(held(0, 10, 11), held(0, 20, 21)), 0, 60)
                        .longest())
                .isEqualTo(40);
        assertThat(Standstill.of(List.of(), 0, 60).longest()).isEqualTo(60);
    }

    /** What was acquired outside the time does not count. */
    @Test
    void of_acquisitionsOutside_areNotCounted() {
        assertThat(Standstill.of(List.of(held(0, 5, 6), held(0, 30, 31), held(0, 95, 96)), 20, 60))
                .isEqualTo(new Standstill(30, 0));
    }

    /** An acquisition before the end of an earlier hold is an overlap, even if another hold was in between. */
    @Test
    void of_holdsThatOverlap_areCounted() {
        assertThat(Standstill.of(List.of(held(0, 1, 30), held(1, 25, 27), held(2, 28, 29), held(0, 30, 31)), 20, 60)
                        .overlaps())
                .isEqualTo(2);
    }

    /** The last acquisition of a journal is that of any process. */
    @Test
    void last_ofASharedJournal_isThatOfAllProcesses(@TempDir Path directory) {
        Journal journal = Journal.shared(directory.resolve("journal"));
        assertThat(journal.last()).isZero();

        Journal.shared(directory.resolve("journal")).add(held(1, 20, 22));

        assertThat(journal.last()).isEqualTo(20);
    }

    private static Journal.Entry held(int client, long entered, long left) {
        return new Journal.Entry(client, 0, entered, left);
    }
}
