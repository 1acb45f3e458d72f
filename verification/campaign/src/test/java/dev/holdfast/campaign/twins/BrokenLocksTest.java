package dev.holdfast.campaign.twins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.campaign.check.Checker;
import dev.holdfast.campaign.check.Terms;
import dev.holdfast.campaign.check.Verdict;
import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The checkers detect each defect of a lock, and report nothing about the correct lock, which is used in the same way:
 * a check that never fails shows nothing, and neither does one that always fails.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
@Tag("harness")
final class BrokenLocksTest {
    private static final String EXCLUSION = "two holders are never valid at once: ";
    private static final String ORDER = "each lock is linearizable: ";
    private static final String TOKENS = "tokens grow with each acquisition, and stay on re-entry: ";
    private static final String LOSSES = "a lost lease is announced in time, and believed in no longer: ";
    private static final String WAKE_UPS = "no waiter sleeps beside a free lock: ";
    private static final String RESIDUE = "nothing is left: ";

    /**
     * The rules about what these clients do not use: several locks, segments, delays, readers, latches, permits, and conditions.
     * Each has tests of its own.
     */
    private static final List<String> NOT_PLAYED = List.of(
            "a multi-lock is held as a whole or not at all",
            "no lock of a multi-lock is free before its holder has released it",
            "a call for a segment gets any that is free",
            "a lock that is closed after a delay stays busy for all of it",
            "readers share a lock, and have it in turn with writers",
            "a latch opens when it is counted down, and wakes those that await it",
            "no more permits are held than there are, with numbers of their own",
            "permits are granted in the order of the line",
            "each item of a buffer is put once and taken once, in order",
            "no waiter for a condition sleeps beside what it waits for");

    private static final String MACHINE = "the machine";

    /** A twin has no line of clients: each release wakes all of its waiters, which compete for the lock. */
    private static final Terms TERMS = new Terms(
            TwinOwner.LEASE,
            TwinOwner.LEASE,
            TwinOwner.DRIFT,
            TwinWire.TIMEOUT.plusMillis(100),
            Duration.ofMillis(500),
            Duration.ofMillis(2500),
            Duration.ZERO,
            false,
            false,
            Set.of());

    private final Path directory;

    BrokenLocksTest(@TempDir Path directory) {
        this.directory = directory;
    }

    static List<Arguments> defects() {
        return List.of(
                arguments(Make.NO_OWNER_CHECK, List.of(EXCLUSION + "contended", ORDER + "contended")),
                arguments(Make.INCREMENT_ON_RESEND, List.of(ORDER + "sent-again", WAKE_UPS + "sent-again")),
                arguments(Make.RELEASE_WITHOUT_OWNER, List.of(EXCLUSION + "runs-out", ORDER + "runs-out")),
                arguments(Make.RELEASE_WITHOUT_TENURE, List.of(EXCLUSION + "late", ORDER + "late")),
                arguments(Make.NO_TRY_AFTER_SUBSCRIBE, List.of(WAKE_UPS + "missed")),
                arguments(Make.RENEWAL_AFTER_RELEASE, List.of(ORDER + "renewed", RESIDUE + "a", RESIDUE + "server")),
                arguments(Make.TOKEN_ON_REENTRY, List.of(ORDER + "contended", TOKENS + "contended")),
                arguments(Make.LEASE_WITHOUT_END, List.of(EXCLUSION + "runs-out", LOSSES + "runs-out")),
                arguments(Make.SILENT_LOSS, List.of(LOSSES + "runs-out")));
    }

    /** Each defect violates at least the expected rules, at the expected locks. */
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    @ParameterizedTest
    @MethodSource("defects")
    void broken_isCaught(Make make, List<String> broken) throws Exception {
        History history = TwinRun.of(make, directory);
        assertThat(Checker.all(TERMS).stream()
                        .map(rule -> rule.check(history))
                        .flatMap(verdict ->
                                verdict.violations().stream().map(found -> verdict.rule() + ": " + found.subject())))
                .containsAll(broken);
    }

    /**
     * The correct lock violates no rule, and each rule about what is played has judged something. It runs alone: the
     * rules limit how late a wake-up or the report of a loss may be.
     */
    @ResourceLock(MACHINE)
    @Test
    void right_isFine() throws Exception {
        History history = TwinRun.of(Make.RIGHT, directory);
        for (Checker rule : Checker.all(TERMS)) {
            Verdict verdict = rule.check(history);
            assertThat(verdict.violations()).as(verdict.rule()).isEmpty();
            assertThat(verdict.decision()).as(verdict.rule()).isEqualTo(Decision.KEPT);
            if (NOT_PLAYED.contains(verdict.rule())) {
                assertThat(verdict.judged()).as(verdict.rule()).isZero();
            } else {
                assertThat(verdict.judged()).as(verdict.rule()).isPositive();
            }
        }
    }
}
