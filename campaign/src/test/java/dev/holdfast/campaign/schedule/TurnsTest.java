package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an actor does. */
class TurnsTest {
    private final RoundPlan round = Schedule.round(1);
    private final List<Turn> turns = Stream.generate(
                    round.turns(round.clients().get(0).actors().get(0), 0)::next)
            .limit(2_000)
            .toList();

    /** Each thing that can be done is done, and left undone, now and then. */
    @Test
    void next_hasEverything() {
        assertThat(turns).extracting(Turn::way).contains(Turn.Way.values());
        assertThat(turns).extracting(Turn::lock).containsAll(round.locks());
        assertThat(turns).extracting(turn -> turn.lease().isPresent()).contains(true, false);
        assertThat(turns).extracting(turn -> turn.patience().isPresent()).contains(true, false);
        assertThat(turns).extracting(turn -> turn.extension().isPresent()).contains(true, false);
        assertThat(turns).extracting(Turn::inspects).contains(true, false);
        assertThat(turns).extracting(turn -> turn.interruption().isPresent()).contains(true, false);
        assertThat(turns).extracting(Turn::levels).contains(1, 2, 3);
    }

    /** Some stay for longer than their lease, and some for longer than it takes to renew one. */
    @Test
    void next_overstaysAtTimes() {
        assertThat(turns)
                .anyMatch(turn -> turn.lease()
                        .filter(lease -> turn.work().compareTo(lease) > 0)
                        .isPresent())
                .anyMatch(turn -> turn.lease().isEmpty()
                        && turn.work().compareTo(round.watchdogTimeout().dividedBy(3)) > 0);
    }

    /** Who enters again is patient: it waits for nobody. */
    @Test
    void again_isPatient() {
        assertThat(turns).allSatisfy(turn -> {
            assertThat(turn.again().patience()).isEqualTo(Optional.empty());
            assertThat(turn.again().lock()).isEqualTo(turn.lock());
        });
    }
}
