package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract detects faulty latches: a check that cannot fail is no check. */
@Tag("slow")
@Tag("harness")
final class LatchTwinsTest {
    static List<Arguments> twins() {
        return List.of(
                arguments(
                        LatchTwins.CountsForEachClient.class,
                        List.of("count_isSetOnce", "countDown_byAnyClient", "countDown_atTheSameTime")),
                arguments(LatchTwins.SetsOverACount.class, List.of("count_isSetOnce")),
                arguments(
                        LatchTwins.CountsTwice.class,
                        List.of("countDown_byAnyClient", "countDown_atTheSameTime", "opening_wakesAll")),
                arguments(LatchTwins.CountsOne.class, List.of("countDown_several")),
                arguments(LatchTwins.PassesZero.class, List.of("countDown_several")),
                arguments(LatchTwins.WakesOne.class, List.of("opening_wakesAll", "deletion_failsAllThatWait")),
                arguments(LatchTwins.MissesOpenings.class, List.of("opening_setAgainAtOnce")),
                arguments(
                        LatchTwins.OpensByDeletion.class,
                        List.of("deletion_failsAllThatWait", "deletion_setAgainAtOnce")),
                arguments(
                        LatchTwins.MissesDeletions.class,
                        List.of("deletion_failsAllThatWait", "deletion_setAgainAtOnce")),
                arguments(LatchTwins.LeavesForAll.class, List.of("waiter_leaves")));
    }

    /** Each broken twin fails every case about its fault. */
    @ParameterizedTest
    @MethodSource("twins")
    void contract_fails(Class<? extends LatchContract> twin, List<String> cases) {
        assertThat(ContractRun.failed(twin, cases)).containsExactlyInAnyOrderElementsOf(cases);
    }
}
