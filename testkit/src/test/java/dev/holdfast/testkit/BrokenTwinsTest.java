package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract detects faulty locks: a check that cannot fail is no check. */
@Tag("slow")
@Tag("harness")
final class BrokenTwinsTest {
    static List<Arguments> twins() {
        return List.of(
                arguments(
                        BrokenTwins.NoExclusion.class,
                        List.of("lock_threadsOfTwoClients", "lock_everyWayIn", "tryLock_busy", "lockAsync_twoOwners")),
                arguments(
                        BrokenTwins.IgnoresOwnership.class,
                        List.of(
                                "unlock_neverLocked",
                                "unlock_byNonHolder",
                                "unlock_moreThanHeld",
                                "unlockAsync_byNonHolder")),
                arguments(BrokenTwins.NoReentry.class, List.of("lock_reentry", "lock_reentryEveryWayIn")),
                arguments(
                        BrokenTwins.LosesInterrupts.class,
                        List.of(
                                "lock_interruptedBefore",
                                "lock_interruptedWhileWaiting",
                                "lockInterruptibly_interruptedBefore",
                                "lockInterruptibly_interruptedWhileWaiting")),
                arguments(BrokenTwins.WaitsInTryLock.class, List.of("tryLock_busy", "lock_manyNames")),
                arguments(BrokenTwins.TimesOutEarly.class, List.of("tryLockTimed_busy", "tryLockAsync_busy")),
                arguments(BrokenTwins.ForgetsCancellation.class, List.of("lockAsync_cancelledWhileWaiting")),
                arguments(BrokenTwins.LeavesResidue.class, List.of("tryLock_free", "signal_notHeld")),
                arguments(BrokenTwins.ServesTheLastFirst.class, List.of("unlock_fair_servesInOrder")),
                arguments(
                        BrokenTwins.WakesTheGone.class,
                        List.of(
                                "unlock_afterWaiterTimedOut",
                                "unlock_whileWaiterTimesOut",
                                "unlock_whileWaiterIsInterrupted",
                                "lockAsync_cancelledWhileReleased")));
    }

    /** Each broken twin fails every case about its fault. */
    @ParameterizedTest
    @MethodSource("twins")
    void contract_fails(Class<? extends LockContract> twin, List<String> cases) {
        assertThat(ContractRun.failed(twin, cases)).containsExactlyInAnyOrderElementsOf(cases);
    }
}
