package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventStatistics;
import org.junit.platform.testkit.engine.Events;

/** When a test of {@link RealTime} is repeated, with stops of the machine that the test makes up. */
@Tag("pure")
final class RealTimeTest {
    private static final Duration STOP = Duration.ofMillis(1_300);

    /** What happens in the attempts of {@link Measures}. */
    private static Iterator<Attempt> script = List.<Attempt>of().iterator();

    private static final List<Measures> instances = new ArrayList<>();

    private record Attempt(Duration stop, boolean fails) {}

    private static final Attempt PASSES = new Attempt(Duration.ZERO, false);
    private static final Attempt FAILS = new Attempt(Duration.ZERO, true);
    private static final Attempt STOPPED_PASSES = new Attempt(STOP, false);
    private static final Attempt STOPPED_FAILS = new Attempt(STOP, true);

    /** The test that is repeated, or not. */
    static final class Measures {
        private static Attempt attempt = PASSES;

        @RegisterExtension
        static final RealTimeExtension extension = new RealTimeExtension(() -> {
            attempt = script.next();
            Duration stop = attempt.stop();
            return () -> stop;
        });

        @TestTemplate
        void measures() {
            instances.add(this);
            assertThat(attempt.fails()).isFalse();
        }
    }

    /** A test that says it measures time, where it cannot be run. */
    static final class Annotated {
        @RealTime
        void measures() {
            Assumptions.abort("on purpose");
        }
    }

    @BeforeEach
    void forget() {
        instances.clear();
    }

    private static Events run(Attempt... attempts) {
        script = Stream.of(attempts).iterator();
        return events(Measures.class);
    }

    private static Events events(Class<?> tests) {
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
        results.containerEvents().assertStatistics(statistics -> statistics.failed(0));
        return results.testEvents();
    }

    private static void assertCounts(Events events, long passed, long repeated, long failed) {
        events.assertStatistics(statistics -> counts(statistics, passed, repeated, failed));
        assertThat(script).isExhausted();
    }

    private static EventStatistics counts(EventStatistics statistics, long passed, long repeated, long failed) {
        return statistics.succeeded(passed).aborted(repeated).failed(failed);
    }

    /** A test that passes is run once, whether or not the machine stopped. */
    @Test
    void passes_isRunOnce() {
        assertCounts(run(PASSES), 1, 0, 0);
        assertCounts(run(STOPPED_PASSES), 1, 0, 0);
    }

    /** A failure while the machine ran is one. */
    @Test
    void fails_isNotRepeated() {
        assertCounts(run(FAILS), 0, 0, 1);
    }

    /** A failure while the machine stopped is not one if the test passes when it is repeated, with a new instance. */
    @Test
    void fails_machineStopped_isRepeated() {
        assertCounts(run(STOPPED_FAILS, PASSES), 1, 1, 0);
        Set<Measures> distinct = new HashSet<>(instances);
        assertThat(distinct).hasSize(2);
    }

    /** The stop of one attempt does not excuse the failure of the next. */
    @Test
    void fails_machineStoppedBefore_isNotRepeated() {
        assertCounts(run(STOPPED_FAILS, FAILS), 0, 1, 1);
    }

    /** A machine that stops in each attempt does not excuse the last. */
    @Test
    void failsAlways_lastOneCounts() {
        assertCounts(run(STOPPED_FAILS, STOPPED_FAILS, STOPPED_FAILS), 0, 2, 1);
    }

    /** The annotation brings the extension, which lets an aborted test be. */
    @Test
    void annotation_isEnough() {
        assertThat(events(Annotated.class).aborted().count()).isOne();
    }
}
