package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The turns of an actor. */
class ActorTurnsTest {
    private final RoundPlan round = Schedule.round(1);
    private final List<Turn> turns = Stream.generate(
                    round.turns(round.clients().get(0).actors().get(0), 0)::next)
            .limit(2_000)
            .toList();

    /** Every option of a turn is used in some turns, and not in others. */
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

    /** Some turns last longer than their lease, and some longer than the interval of renewals. */
    @Test
    void next_overstaysAtTimes() {
        assertThat(turns)
                .anyMatch(turn -> turn.lease()
                        .filter(lease -> turn.work().compareTo(lease) > 0)
                        .isPresent())
                .anyMatch(turn -> turn.lease().isEmpty()
                        && turn.work().compareTo(round.watchdogTimeout().dividedBy(3)) > 0);
    }

    /** A poller never waits, and tries again soon. */
    @Test
    void next_poller() {
        assertThat(turns(Theme.POLLERS, ActorKind.POLLER)).allSatisfy(turn -> {
            assertThat(turn.way()).isEqualTo(Turn.Way.TRY);
            assertThat(turn.longestWait()).isZero();
            assertThat(turn.rest()).isBetween(Duration.ofMillis(1), Duration.ofMillis(3));
        });
    }

    /** A wavering actor requests a short lease of the same lock right after a long one, and inspects the lock. */
    @Test
    void next_wavering() {
        List<Turn> wavering = turns(Theme.GIVEN_UP, ActorKind.WAVERING);
        for (int i = 0; i < wavering.size(); i += 2) {
            Turn first = wavering.get(i);
            Turn second = wavering.get(i + 1);
            assertThat(first.lease().orElseThrow()).isGreaterThan(Duration.ofSeconds(10));
            assertThat(first.patience().orElseThrow()).isLessThan(Duration.ofMillis(10));
            assertThat(first.rest()).isZero();
            assertThat(second.lock()).isEqualTo(first.lock());
            assertThat(second.lease().orElseThrow()).isLessThan(Duration.ofSeconds(1));
            assertThat(second.patience()).isEmpty();
            assertThat(second.inspects()).isTrue();
        }
    }

    /**
     * In the crossed theme, some re-entries request the lock of the other kind, and may be rejected. In others, none
     * may be.
     */
    @Test
    void again_crossed() {
        List<Turn> crossed = turns(Theme.CROSSED, ActorKind.BLOCKING);
        assertThat(crossed).extracting(Turn::crosses).contains(true, false);
        assertThat(crossed).extracting(Turn::otherKind).contains(true, false);
        assertThat(crossed).allSatisfy(turn -> {
            assertThat(turn.mayBeRejected()).isTrue();
            assertThat(turn.again().otherKind() != turn.otherKind()).isEqualTo(turn.crosses());
        });
        assertThat(turns).extracting(Turn::mayBeRejected).containsOnly(false);
        assertThat(turns).extracting(Turn::crosses).containsOnly(false);
        assertThat(turns).extracting(Turn::otherKind).containsOnly(false);
    }

    /**
     * In the mixed theme, actors that acquire again at once use one kind of lock, and the other actors of their client
     * the other kind.
     */
    @Test
    void next_mixed() {
        assertThat(turns(Theme.MIXED, ActorKind.RESTLESS))
                .extracting(Turn::otherKind)
                .containsOnly(false);
        assertThat(turns(Theme.MIXED, ActorKind.OWNED))
                .extracting(Turn::otherKind)
                .containsOnly(true);
    }

    /** A multi-lock has two locks or three, in any order; its turns may be long. */
    @Test
    void next_several() {
        List<Turn> several = turns(Theme.TOGETHER, ActorKind.MULTI_HANDLE);
        assertThat(several).extracting(turn -> turn.beside().size()).containsOnly(1, 2);
        assertThat(several).allSatisfy(turn -> assertThat(turn.beside()).doesNotContain(turn.lock()));
        assertThat(several).extracting(Turn::lock).hasSizeGreaterThan(1);
        assertThat(several).extracting(turn -> turn.keep().isPresent()).contains(true, false);
        assertThat(several).anyMatch(turn -> turn.work().compareTo(Duration.ofMillis(200)) > 0);
        assertThat(turns(Theme.TOGETHER, ActorKind.MULTI))
                .allMatch(turn -> turn.keep().isEmpty());
    }

    /** A call for a segment may get any segment of the round, or any but one. */
    @Test
    void next_segment() {
        RoundPlan segments = Schedule.round(Schedule.seeds(1, Theme.KEPT_BUSY).getAsLong());
        assertThat(turns(Theme.KEPT_BUSY, ActorKind.SEGMENT)).allSatisfy(turn -> {
            assertThat(turn.lock()).isEqualTo(Schedule.SEGMENTED);
            assertThat(segments.segments()).containsAll(turn.beside());
        });
        assertThat(turns(Theme.KEPT_BUSY, ActorKind.SEGMENT))
                .extracting(turn -> turn.beside().size())
                .containsOnly(2, 3);
    }

    /** A keeper always leaves the lock busy, at times for longer than a lease. */
    @Test
    void next_keeper() {
        RoundPlan kept = Schedule.round(Schedule.seeds(1, Theme.KEPT_BUSY).getAsLong());
        assertThat(turns(Theme.KEPT_BUSY, ActorKind.KEEPER))
                .allMatch(turn -> turn.keep().isPresent())
                .anyMatch(turn -> turn.keep().orElseThrow().compareTo(kept.watchdogTimeout()) > 0)
                .anyMatch(turn -> turn.keep().orElseThrow().compareTo(Duration.ofMillis(60)) < 0);
    }

    /** However far Redis is, a lease lasts for longer than a command and its reply take: no grant could be used otherwise. */
    @Test
    void next_leaseOutlastsTheWay() {
        RoundPlan far = LongStream.generate(Schedule.seeds(1, Theme.SEGMENTS))
                .mapToObj(Schedule::round)
                .filter(round -> !round.distance().isZero())
                .findFirst()
                .orElseThrow();
        Turns drawn = far.turns(new ActorPlan("a0", ActorKind.BLOCKING, 1), 0);
        assertThat(Stream.generate(drawn::next).limit(5_000).flatMap(turn -> turn.lease().stream()))
                .allSatisfy(
                        lease -> assertThat(lease).isGreaterThan(far.distance().multipliedBy(2)));
    }

    private static List<Turn> turns(Theme theme, ActorKind kind) {
        RoundPlan round = Schedule.round(Schedule.seeds(1, theme).getAsLong());
        Turns turns = round.turns(new ActorPlan("a0", kind, 1), 0);
        return Stream.generate(turns::next).limit(500).toList();
    }

    /** The actor of a re-entry does not give up. */
    @Test
    void again_isPatient() {
        assertThat(turns).allSatisfy(turn -> {
            assertThat(turn.again().patience()).isEqualTo(Optional.empty());
            assertThat(turn.again().lock()).isEqualTo(turn.lock());
        });
    }
}
