package dev.holdfast.campaign.twins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.campaign.check.Checker;
import dev.holdfast.campaign.check.Terms;
import dev.holdfast.campaign.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checkers detect each defect of a lock whose release grants it to a waiter, and nothing in the correct one. */
@Tag("slow")
@Tag("harness")
final class BrokenGrantsTest {
    private static final String EXCLUSION = "two holders are never valid at once: ";
    private static final String ORDER = "each lock is linearizable: ";
    private static final String WAKE_UPS = "no waiter sleeps beside a free lock: ";

    private static final Terms TERMS = new Terms(
            TwinOwner.LEASE,
            LineTwin.GRANTED,
            TwinOwner.DRIFT,
            TwinWire.TIMEOUT.plusMillis(100),
            Duration.ofMillis(500),
            Duration.ofMillis(2500),
            Duration.ZERO,
            true,
            false,
            Set.of());

    private final Path directory;

    BrokenGrantsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    static List<Arguments> defects() {
        return List.of(
                arguments(LineMake.GRANT_WITHOUT_TENURE, List.of(EXCLUSION + "late", ORDER + "late")),
                arguments(LineMake.GRANT_WITHOUT_LEASE, List.of(EXCLUSION + "short", ORDER + "short")),
                arguments(LineMake.NO_TRY_AFTER_LOST_GRANT, List.of(WAKE_UPS + "lost")),
                arguments(LineMake.JOINS_AFTER_LOOKING, List.of(WAKE_UPS + "meanwhile")));
    }

    /** Each defect violates at least the expected rules, at the expected locks. */
    @ParameterizedTest
    @MethodSource("defects")
    void broken_isCaught(LineMake make, List<String> broken) throws Exception {
        assertThat(violations(TwinLineRun.of(make, directory))).containsAll(broken);
    }

    /** The correct lock violates no rule. */
    @Test
    void right_isFine() throws Exception {
        assertThat(violations(TwinLineRun.of(LineMake.RIGHT, directory))).isEmpty();
    }

    private static List<String> violations(History history) {
        return Checker.all(TERMS).stream()
                .map(rule -> rule.check(history))
                .flatMap(verdict -> verdict.violations().stream().map(found -> verdict.rule() + ": " + found.subject()))
                .toList();
    }
}
