package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The contract detects faulty conditions: a check that cannot fail is no check. */
@Tag("slow")
@Tag("harness")
final class ConditionTwinsTest {
    static List<Arguments> twins() {
        return List.of(
                arguments(ConditionTwins.WakesAll.class, List.of("signal_wakesTheFirst")),
                arguments(ConditionTwins.WakesOne.class, List.of("signalAll_wakesAllOfTheCondition")),
                arguments(
                        ConditionTwins.LosesSignals.class,
                        List.of("signal_wakesTheFirst", "signal_severalTimes", "signal_whileTheLockIsHeld")),
                arguments(ConditionTwins.ForgetsLevels.class, List.of("await_releasesAllLevels")),
                arguments(ConditionTwins.ReportsASignal.class, List.of("await_timed", "signal_isNotStored")),
                arguments(ConditionTwins.MissesItsSignal.class, List.of("await_timed")),
                arguments(
                        ConditionTwins.LosesInterrupts.class,
                        List.of("await_interrupted", "awaitUninterruptibly_interrupted")),
                arguments(ConditionTwins.AcquiresTheLock.class, List.of("notHeld_isRefused")));
    }

    /** Each broken twin fails every case about its fault. */
    @ParameterizedTest
    @MethodSource("twins")
    void contract_fails(Class<? extends ConditionContract> twin, List<String> cases) {
        List<MethodSelector> selected =
                cases.stream().map(name -> selectMethod(twin, name)).toList();
        List<String> failed = EngineTestKit.engine("junit-jupiter")
                .selectors(selected.toArray(MethodSelector[]::new))
                .execute()
                .testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();
        assertThat(failed).containsExactlyInAnyOrderElementsOf(cases);
    }
}
