package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract detects faulty semaphores: a check that cannot fail is no check. */
@Tag("slow")
@Tag("harness")
final class SemaphoreTwinsTest {
    static List<Arguments> twins() {
        return List.of(
                arguments(
                        SemaphoreTwins.LimitsEachClient.class,
                        List.of("limit_overAllClients", "number_isDistinct", "competition_isLimited")),
                arguments(
                        SemaphoreTwins.GrantsWhatIsFree.class, List.of("permits_areOneGrant", "competition_isLimited")),
                arguments(SemaphoreTwins.ReleasesOne.class, List.of("permits_areOneGrant")),
                arguments(SemaphoreTwins.NumbersByCount.class, List.of("number_isDistinct")),
                arguments(
                        SemaphoreTwins.NumbersWithoutEnd.class,
                        List.of("number_isDistinct", "release_servesAllThatFit")),
                arguments(
                        SemaphoreTwins.ServesTheLastFirst.class,
                        List.of("release_servesClientsInOrder", "release_servesCallersInOrder")),
                arguments(SemaphoreTwins.PassesTheLine.class, List.of("line_isNotPassed")),
                arguments(SemaphoreTwins.ServesOne.class, List.of("release_servesAllThatFit")),
                arguments(SemaphoreTwins.KeepsThePlace.class, List.of("line_isLeft")),
                arguments(SemaphoreTwins.GrantsTheGone.class, List.of("wait_ends", "interrupt_endsAWait")),
                arguments(SemaphoreTwins.TimesOutEarly.class, List.of("wait_ends")),
                arguments(SemaphoreTwins.IgnoresInterrupts.class, List.of("interrupt_endsAWait")),
                arguments(SemaphoreTwins.WaitsAfterAnInterrupt.class, List.of("interrupt_endsAWait")),
                arguments(SemaphoreTwins.KeepsTheFirstLimit.class, List.of("limits_differ")),
                arguments(SemaphoreTwins.HoldsForEver.class, List.of("lease_ends")),
                arguments(SemaphoreTwins.ForgetsToRenew.class, List.of("lease_keepsPermits")),
                arguments(SemaphoreTwins.CountsReleases.class, List.of("release_late")));
    }

    /** Each broken twin fails every case about its fault. */
    @ParameterizedTest
    @MethodSource("twins")
    void contract_fails(Class<? extends SemaphoreContract> twin, List<String> cases) {
        assertThat(ContractRun.failed(twin, cases)).containsExactlyInAnyOrderElementsOf(cases);
    }
}
