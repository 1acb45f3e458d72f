package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The common schedule of arrivals. */
class ArrivalScheduleTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final ArrivalSchedule arrivals = new ArrivalSchedule(Duration.ofSeconds(1), List.of("stock", "orders"));
    private final RoundPlan round = LongStream.range(0, 100)
            .mapToObj(Schedule::round)
            .filter(RoundPlan::isQuiet)
            .findFirst()
            .orElseThrow();
    private final Turn turn =
            round.turns(round.clients().get(0).actors().get(0), 0).next();

    /**
     * Whenever their turns end, all actors arrive at about the same time, at the same lock, and the next time at the
     * next one.
     */
    @Test
    void rest_allArriveTogether() {
        for (long now : new long[] {-3 * SECOND + 1, 7, SECOND / 3, 5 * SECOND - 1}) {
            long next = now + arrivals.rest(turn, now).toNanos();
            assertThat(Math.floorMod(next, SECOND))
                    .isEqualTo(turn.rest().dividedBy(20).toNanos())
                    .isPositive()
                    .isLessThan(SECOND / 10);
            assertThat(next - now).isBetween(1L, SECOND + SECOND / 10);
        }
        assertThat(arrivals.place(turn, 4 * SECOND - SECOND / 3).lock())
                .as("for an actor that wakes up early")
                .isEqualTo("stock");
        assertThat(arrivals.place(turn, 4 * SECOND).lock()).isEqualTo("stock");
        assertThat(arrivals.place(turn, 4 * SECOND + SECOND / 3).lock()).isEqualTo("stock");
        assertThat(arrivals.place(turn, 5 * SECOND).lock()).isEqualTo("orders");
    }

    /** The schedule changes nothing but the lock of a turn. */
    @Test
    void place_changesTheLockOnly() {
        assertThat(arrivals.place(turn, 0).at(turn.lock())).isEqualTo(turn);
    }

    /** Without a common schedule, a turn is as it was drawn. */
    @Test
    void none_asDrawn() {
        assertThat(ArrivalSchedule.none().isThere()).isFalse();
        assertThat(ArrivalSchedule.none().place(turn, SECOND)).isEqualTo(turn);
        assertThat(ArrivalSchedule.none().rest(turn, SECOND)).isEqualTo(turn.rest());
    }
}
