package dev.holdfast.examples.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the service counts. */
class OccupancyTest {
    private final Occupancy occupancy = new Occupancy(2);

    /** Calls that overlap are at once, those that follow each other are not; each part of the run begins with those that last. */
    @Test
    void calls_atOnce() {
        occupancy.begin(0, 3);
        occupancy.begin(1, 4);
        occupancy.end(3);
        occupancy.begin(0, 3);
        assertThat(occupancy.next()).isEqualTo(new Count(List.of(2, 1), 2, 0));
        occupancy.end(3);
        assertThat(occupancy.next()).isEqualTo(new Count(List.of(0, 0), 2, 0));
        assertThat(occupancy.next()).isEqualTo(new Count(List.of(0, 0), 1, 0));
    }

    /** Two calls with one number at once. */
    @Test
    void numbers_clash() {
        occupancy.begin(0, 3);
        occupancy.begin(1, 3);
        assertThat(occupancy.next()).isEqualTo(new Count(List.of(1, 1), 2, 1));
    }

    /** A call with the number that is awaited belongs to the next part of the run. */
    @Test
    void number_isAwaited() {
        CompletableFuture<Count> before = occupancy.before(3);
        occupancy.begin(0, 4);
        assertThat(before).isNotDone();
        occupancy.begin(1, 3);
        assertThat(before).isCompletedWithValue(new Count(List.of(1, 0), 1, 0));
        assertThat(occupancy.next()).isEqualTo(new Count(List.of(0, 1), 2, 0));
    }
}
