package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rounds of one theme each. */
class ThemedTest {
    /** More than a rule needs to say that somebody was passed over. */
    private static final Duration LONG = Duration.ofSeconds(2);

    private static Stream<RoundPlan> rounds(Theme theme) {
        LongSupplier seeds = Schedule.seeds(3, theme);
        return Stream.generate(() -> Schedule.round(seeds.getAsLong())).limit(20);
    }

    private static List<ActorKind> kinds(ClientPlan client) {
        return client.actors().stream().map(ActorPlan::kind).toList();
    }

    /** Whatever the theme, there are enough processes, every actor has dice of its own, and no fault hides what is to be seen. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GENERAL")
    void round_canBePlayed(Theme theme) {
        assertThat(rounds(theme)).allSatisfy(round -> {
            assertThat(round.clients()).hasSizeBetween(2, Schedule.MOST_CLIENTS);
            assertThat(round.isQuiet()).isFalse();
            assertThat(round.faults())
                    .extracting(FaultPlan::kind)
                    .allMatch(kind -> kind == FaultKind.UNSUBSCRIBED || kind == FaultKind.KEY_FORBIDDEN);
            assertThat(round.clients().stream().flatMap(client -> client.actors().stream()))
                    .extracting(ActorPlan::seed)
                    .doesNotHaveDuplicates();
        });
    }

    /** Nobody but one client waits, or its releases would be for others to hear. */
    @Test
    void pollers_waitInOneClientOnly() {
        assertThat(rounds(Theme.POLLERS)).allSatisfy(round -> {
            assertThat(round.locks()).hasSize(1);
            assertThat(kinds(round.clients().get(0))).contains(ActorKind.RESTLESS, ActorKind.POLLER);
            assertThat(round.clients().stream().skip(1).flatMap(client -> kinds(client).stream()))
                    .containsOnly(ActorKind.POLLER);
            assertThat(round.clients()).extracting(ClientPlan::library).contains(Library.REDISSON);
        });
    }

    /** The subscriptions are gone for longer than it takes to see that somebody is passed over. */
    @Test
    void unsubscribed_forLong() {
        assertThat(rounds(Theme.UNSUBSCRIBED))
                .allSatisfy(round -> assertThat(round.faults()).isNotEmpty().allSatisfy(fault -> {
                    assertThat(fault.length()).isGreaterThanOrEqualTo(LONG);
                    assertThat(kinds(round.clients().get(fault.client()))).hasSize(4);
                }));
    }

    /** One client awaits its releases, the other does not. */
    @Test
    void unawaited_besideOneThatAwaits() {
        assertThat(rounds(Theme.UNAWAITED)).allSatisfy(round -> assertThat(round.clients())
                .extracting(ClientPlan::awaitsReleases)
                .containsExactly(false, true));
    }

    /** Every way to close has its turn, and what is held then ends soon. */
    @Test
    void closed_inEveryWay() {
        assertThat(rounds(Theme.CLOSED)).allSatisfy(round -> {
            assertThat(round.clients())
                    .extracting(ClientPlan::closing)
                    .containsExactlyInAnyOrder(
                            ClosingKind.INTERRUPTED, ClosingKind.IN_CALLBACK, ClosingKind.BESIDE_BLOCKED_CALLBACK);
            assertThat(round.abandons()).isTrue();
            assertThat(round.longestLease()).isEqualTo(round.watchdogTimeout());
        });
    }

    /** The user whose rights are taken away is one of its own. */
    @Test
    void fewRights_ofEveryKind() {
        assertThat(rounds(Theme.FEW_RIGHTS)).allSatisfy(round -> {
            assertThat(round.clients())
                    .extracting(ClientPlan::rights)
                    .containsExactlyInAnyOrder(Rights.NO_END, Rights.NO_AUDIENCE, Rights.OWN);
            assertThat(round.faults()).allSatisfy(fault -> assertThat(
                            round.clients().get(fault.client()).rights())
                    .isEqualTo(Rights.OWN));
        });
    }
}
