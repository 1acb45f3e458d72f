package dev.holdfast.campaign.twins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.campaign.check.Checker;
import dev.holdfast.campaign.check.Terms;
import dev.holdfast.campaign.history.History;
import dev.holdfast.testkit.RedisServer;
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

/** The checkers detect each defect of a client in a failover, and nothing in the correct one. */
@Tag("slow")
@Tag("harness")
final class BrokenFailoversTest {
    private static final String EXCLUSION = "two holders are never valid at once: ";
    private static final String WAKE_UPS = "no waiter sleeps beside a free lock: ";
    private static final String ALARMS = "no alarm is false: ";
    private static final String LINEARIZABLE = "each lock is linearizable: ";

    private static final Terms TERMS = new Terms(
            HomeTwin.LEASE,
            HomeTwin.LEASE,
            HomeTwin.DRIFT,
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofMillis(2500),
            Duration.ZERO,
            true,
            false,
            Set.of());

    private final Path directory;

    BrokenFailoversTest(@TempDir Path directory) {
        this.directory = directory;
    }

    static List<Arguments> defects() {
        return List.of(
                arguments(HomeMake.NO_VERIFICATION, List.of(EXCLUSION + "granted")),
                arguments(HomeMake.NO_REPEATED_RELEASE, List.of(WAKE_UPS + "released")),
                arguments(HomeMake.NO_REPEATED_HANDOFF, List.of(WAKE_UPS + "handed-off")),
                arguments(HomeMake.GRANT_OF_FORMER_HOME, List.of(EXCLUSION + "silent")),
                arguments(HomeMake.WAIT_ELSEWHERE, List.of(ALARMS + "replicated", LINEARIZABLE + "replicated")),
                arguments(HomeMake.COUNT_IGNORED, List.of(ALARMS + "replicated", LINEARIZABLE + "replicated")));
    }

    /** Each defect violates at least the expected rules, at the expected locks. */
    @ParameterizedTest
    @MethodSource("defects")
    void broken_isCaught(HomeMake make, List<String> broken) throws Exception {
        assertThat(violations(HomeRun.of(make, directory))).containsAll(broken);
    }

    /** {@code WAIT} covers what other connections have written if it stands behind any command, but only before Redis 7.2. */
    @Test
    void waitBehindPing_isCaughtWhereItIsWrong() throws Exception {
        List<String> violations = violations(HomeRun.of(HomeMake.WAIT_BEHIND_PING, directory));
        if (coversOthersWrites()) {
            assertThat(violations).isEmpty();
        } else {
            assertThat(violations).contains(ALARMS + "replicated", LINEARIZABLE + "replicated");
        }
    }

    private static boolean coversOthersWrites() {
        try (RedisServer server = RedisServer.builder().start()) {
            return server.version().startsWith("6.") || server.version().startsWith("7.0.");
        }
    }

    /** The correct client violates no rule. */
    @Test
    void right_isFine() throws Exception {
        assertThat(violations(HomeRun.of(HomeMake.RIGHT, directory))).isEmpty();
    }

    private static List<String> violations(History history) {
        return Checker.all(TERMS).stream()
                .map(rule -> rule.check(history))
                .flatMap(verdict -> verdict.violations().stream().map(found -> verdict.rule() + ": " + found.subject()))
                .toList();
    }
}
