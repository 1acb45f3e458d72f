package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The schedules that are drawn from seeds. */
class ScheduleTest {
    /** A seed determines a round, down to each turn of each actor. */
    @Test
    void round_sameSeed_sameRound() {
        RoundPlan once = Schedule.round(42);
        RoundPlan again = Schedule.round(42);

        assertThat(again).isEqualTo(once);
        ActorPlan actor = once.clients().get(0).actors().get(0);
        assertThat(turns(again, actor, 0)).isEqualTo(turns(once, actor, 0));
        assertThat(turns(once, actor, 1)).as("the turns of a replacement").isNotEqualTo(turns(once, actor, 0));
        assertThat(Schedule.round(43)).isNotEqualTo(once);
    }

    /** The seed of a run determines its rounds and their order. */
    @Test
    void seeds_sameSeed_sameRounds() {
        assertThat(ten(Schedule.seeds(7, true)))
                .isEqualTo(ten(Schedule.seeds(7, true)))
                .isNotEqualTo(ten(Schedule.seeds(8, true)));
    }

    /** Every other round is a general one, and each of the other themes is played before any of them is repeated. */
    @Test
    void seeds_everyThemeInTurn() {
        LongSupplier seeds = Schedule.seeds(7, true);
        List<Theme> themes = Stream.generate(() -> Theme.of(seeds.getAsLong()))
                .limit(4L * (Theme.values().length - 1))
                .toList();

        List<Theme> special = IntStream.range(0, themes.size() / 2)
                .mapToObj(i -> themes.get(2 * i + 1))
                .toList();
        assertThat(IntStream.range(0, themes.size() / 2).mapToObj(i -> themes.get(2 * i)))
                .containsOnly(Theme.GENERAL);
        Set<Theme> all = EnumSet.complementOf(EnumSet.of(Theme.GENERAL));
        assertThat(special.subList(0, all.size())).containsExactlyInAnyOrderElementsOf(all);
        assertThat(special.subList(all.size(), 2 * all.size())).containsExactlyInAnyOrderElementsOf(all);
    }

    /** All rounds can have one theme, which their seeds contain. */
    @Test
    void seeds_onlyOneTheme() {
        for (Theme theme : Theme.values()) {
            assertThat(ten(Schedule.seeds(7, theme))).doesNotHaveDuplicates().allSatisfy(seed -> {
                assertThat(Theme.of(seed)).isEqualTo(theme);
                assertThat(Schedule.round(seed)).isEqualTo(Schedule.round(seed));
                if (theme != Theme.VERSIONS) {
                    assertThat(Schedule.round(seed).theme()).isEqualTo(theme);
                }
            });
        }
    }

    /** Without an earlier build, no round has clients of it. */
    @Test
    void seeds_oneBuild() {
        LongSupplier seeds = Schedule.seeds(7, false);
        assertThat(Stream.generate(() -> Schedule.round(seeds.getAsLong())).limit(100))
                .allSatisfy(round -> {
                    assertThat(Theme.of(round.seed())).isEqualTo(round.theme());
                    assertThat(round.clients()).extracting(ClientPlan::library).doesNotContain(Library.HOLDFAST_BEFORE);
                });
    }

    /** A seed without a theme is rejected. */
    @Test
    void round_unknownTheme() {
        for (long seed : new long[] {-1, 1_000_000_000L * Theme.values().length}) {
            assertThatThrownBy(() -> Schedule.round(seed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("theme")
                    .hasMessageContaining(Long.toString(seed));
        }
    }

    /** A run contains every kind of fault, every kind of actor and both kinds of lock. */
    @Test
    void rounds_haveEverything() {
        Set<FaultKind> faults = EnumSet.noneOf(FaultKind.class);
        Set<ActorKind> actors = EnumSet.noneOf(ActorKind.class);
        Set<Library> libraries = EnumSet.noneOf(Library.class);
        LongSupplier seeds = Schedule.seeds(7, true);
        List<RoundPlan> rounds = Stream.generate(() -> Schedule.round(seeds.getAsLong()))
                .limit(250)
                .toList();
        rounds.forEach(round -> {
            round.faults().forEach(fault -> faults.add(fault.kind()));
            round.clients().forEach(client -> {
                libraries.add(client.library());
                client.actors().forEach(actor -> actors.add(actor.kind()));
            });
        });

        assertThat(faults).containsExactlyInAnyOrder(FaultKind.values());
        assertThat(actors).containsExactlyInAnyOrder(ActorKind.values());
        assertThat(libraries).containsExactlyInAnyOrder(Library.values());
        assertThat(rounds).anyMatch(round -> round.fenced().isEmpty()).anyMatch(round -> round.fenced()
                .equals(round.locks()));
    }

    /**
     * If a client is killed, its holds stay for their leases, so no lease exceeds the watchdog timeout. Other rounds
     * have leases that are longer than the limit for waiting.
     */
    @Test
    void rounds_longLeasesOnlyWithoutKills() {
        assertThat(rounds().filter(RoundPlan::kills)).isNotEmpty().allMatch(round -> round.longestLease()
                .equals(round.watchdogTimeout()));
        assertThat(rounds().filter(round -> !round.kills()))
                .isNotEmpty()
                .allMatch(round -> round.longestLease().compareTo(round.patience()) > 0);
    }

    /** In some rounds there are few actors with long rests, so that a missed wake-up is not made up for by others. */
    @Test
    void rounds_areQuietAtTimes() {
        assertThat(rounds().filter(RoundPlan::isQuiet)).hasSizeBetween(10, 50);
        assertThat(rounds()).allSatisfy(round -> assertThat(longestRest(round)).satisfies(rest -> {
            if (round.isQuiet()) {
                assertThat(rest).isGreaterThan(Duration.ofMillis(100));
            } else {
                assertThat(rest).isLessThanOrEqualTo(Duration.ofMillis(30));
            }
        }));
    }

    /**
     * In some of the quiet rounds Redis is some milliseconds away, so that more can happen during a command; in other
     * rounds it is not.
     */
    @Test
    void rounds_areFarAwayAtTimes() {
        assertThat(rounds().filter(RoundPlan::isQuiet))
                .anyMatch(round -> round.distance().isZero())
                .anyMatch(round -> round.distance().compareTo(Duration.ofMillis(4)) > 0)
                .allMatch(round -> round.distance().compareTo(Duration.ofMillis(8)) < 0);
        assertThat(rounds().filter(round -> !round.isQuiet()))
                .allMatch(round -> round.distance().isZero());
    }

    /**
     * In some of the quiet rounds, and in no other, all actors arrive by a common schedule, and return to a lock after
     * its channel was left.
     */
    @Test
    void rounds_arriveTogetherAtTimes() {
        assertThat(rounds().filter(round -> round.arrivals().isThere()))
                .hasSizeBetween(5, 30)
                .allMatch(RoundPlan::isQuiet)
                .allSatisfy(round -> {
                    assertThat(round.arrivals().locks()).isEqualTo(round.locks());
                    assertThat(round.arrivals()
                                    .every()
                                    .multipliedBy(round.locks().size()))
                            .isGreaterThan(Duration.ofMillis(2_500));
                });
        assertThat(rounds().filter(RoundPlan::isQuiet))
                .anyMatch(round -> !round.arrivals().isThere());
    }

    private static Duration longestRest(RoundPlan round) {
        return turns(round, round.clients().get(0).actors().get(0), 0).stream()
                .map(Turn::rest)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    /**
     * In a round with a Redisson client, no fault hits that client, and none of the server leaves commands unanswered.
     */
    @Test
    void rounds_spareTheGuest() {
        assertThat(rounds().filter(round -> indexOfGuest(round) >= 0))
                .isNotEmpty()
                .allSatisfy(round -> {
                    int guest = indexOfGuest(round);
                    assertThat(round.faults())
                            .allMatch(fault -> fault.kind().target() == FaultKind.Target.SERVER
                                    ? fault.kind().sparesRedisson()
                                    : fault.client() != guest);
                });
    }

    /** Faults hit clients and locks of the round only. */
    @Test
    void rounds_hitParticipantsOnly() {
        assertThat(rounds()).allSatisfy(round -> assertThat(round.faults())
                .allMatch(fault -> fault.client() < round.clients().size()
                        && fault.lock() < round.locks().size()));
    }

    /** Some faults begin while another lasts, and have another target; at most two last at once. */
    @Test
    void rounds_twoFaultsAtOnce() {
        List<FaultPlan> second = new ArrayList<>();
        rounds().map(RoundPlan::faults).forEach(faults -> {
            for (int i = 0; i < faults.size(); i++) {
                FaultPlan fault = faults.get(i);
                if (fault.overlaps()) {
                    FaultPlan first = faults.get(i - 1);
                    second.add(fault);
                    assertThat(first.overlaps()).isFalse();
                    assertThat(fault.after()).isLessThan(first.length());
                    assertThat(fault.isApartFrom(first))
                            .as(first + " and " + fault)
                            .isTrue();
                }
            }
        });

        assertThat(second)
                .extracting(fault -> fault.kind().target())
                .contains(FaultKind.Target.SERVER, FaultKind.Target.CLIENT, FaultKind.Target.LINK);
        assertThat(second).extracting(FaultPlan::kind).contains(FaultKind.KEY_DELETED, FaultKind.CLIENT_KILLED);
    }

    /** Two faults can overlap unless both hit the server, the same process or the same link. */
    @Test
    void isApartFrom_hitSomethingElse() {
        assertThat(fault(FaultKind.KEY_DELETED, 0).isApartFrom(fault(FaultKind.SERVER_PAUSED, 1)))
                .isFalse();
        assertThat(fault(FaultKind.CUT_FIN, 0).isApartFrom(fault(FaultKind.BLACK_HOLE, 0)))
                .isFalse();
        assertThat(fault(FaultKind.CUT_FIN, 0).isApartFrom(fault(FaultKind.BLACK_HOLE, 1)))
                .isTrue();
        assertThat(fault(FaultKind.CLIENT_KILLED, 0).isApartFrom(fault(FaultKind.CLIENT_PAUSED, 0)))
                .isFalse();
        assertThat(fault(FaultKind.CLIENT_KILLED, 0).isApartFrom(fault(FaultKind.BLACK_HOLE, 0)))
                .isTrue();
        assertThat(fault(FaultKind.CLIENT_PAUSED, 0).isApartFrom(fault(FaultKind.SERVER_PAUSED, 0)))
                .isTrue();
    }

    /** Some gaps between faults are longer than a lease, for what only the end of a lease can recover. */
    @Test
    void rounds_gapsPastALease() {
        assertThat(rounds())
                .anySatisfy(round -> assertThat(round.faults().stream().skip(1))
                        .anyMatch(fault -> fault.after().compareTo(round.watchdogTimeout()) > 0));
    }

    /** There is no fault at the begin of a round, for at least the length of a renewed lease. */
    @Test
    void rounds_beginInPeace() {
        assertThat(rounds()).allMatch(round -> round.faults().get(0).after().compareTo(round.watchdogTimeout()) >= 0);
    }

    private static FaultPlan fault(FaultKind kind, int client) {
        return new FaultPlan(1, kind, Duration.ZERO, false, Duration.ZERO, client, 0);
    }

    private static int indexOfGuest(RoundPlan round) {
        return round.clients().stream()
                .filter(client -> client.library() == Library.REDISSON)
                .mapToInt(ClientPlan::index)
                .findFirst()
                .orElse(-1);
    }

    private static Stream<RoundPlan> rounds() {
        return LongStream.range(0, 100).mapToObj(Schedule::round);
    }

    private static List<Turn> turns(RoundPlan round, ActorPlan actor, int generation) {
        Turns turns = round.turns(actor, generation);
        return Stream.generate(turns::next).limit(50).toList();
    }

    private static List<Long> ten(LongSupplier seeds) {
        return Stream.generate(seeds::getAsLong).limit(10).toList();
    }
}
