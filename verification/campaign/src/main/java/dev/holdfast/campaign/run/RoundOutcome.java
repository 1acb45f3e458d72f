package dev.holdfast.campaign.run;

import dev.holdfast.campaign.check.Checker;
import dev.holdfast.campaign.check.Terms;
import dev.holdfast.campaign.check.Verdict;
import dev.holdfast.campaign.check.Violation;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.schedule.RoundPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a round.
 *
 * @param verdicts of all checkers
 * @param complaints failures that were detected without a checker: a process that did not reply in time, ended, or
 *     failed, and unexpected log messages
 * @param directory of the journals
 */
record RoundOutcome(RoundPlan plan, History history, List<Verdict> verdicts, List<String> complaints, Path directory) {
    /** The time that a busy machine may add to a reply, and to everything that is to happen at once. */
    private static final Duration SLACK = Duration.ofMillis(300);

    /**
     * Less than half of the shortest renewed lease, so that a waiter which sleeps until the end of a lease is detected.
     */
    private static final Duration PROMPT = Duration.ofMillis(700);

    /** The default of the library, in a cluster and under sentinels. */
    private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(15);

    /** How many violations of a rule are shown with the events around them: a rule that is violated is so again and again. */
    private static final int MOST_EXPLAINED = 20;

    /** @param lined whether the servers let clients form a line */
    static RoundOutcome of(RoundPlan plan, boolean lined, History history, List<String> complaints, Path directory) {
        List<Verdict> verdicts = Checker.all(terms(plan, lined)).stream()
                .map(checker -> checker.check(history))
                .toList();
        return new RoundOutcome(plan, history, verdicts, List.copyOf(complaints), directory);
    }

    private static Terms terms(RoundPlan plan, boolean lined) {
        Duration lease = plan.watchdogTimeout();
        Duration commandTimeout = lease.dividedBy(3);
        return new Terms(
                lease,
                commandTimeout,
                lease.dividedBy(100),
                commandTimeout.plus(SLACK),
                PROMPT,
                plan.patience(),
                outlasts(plan, commandTimeout),
                lined && plan.joinsLines(),
                lined && plan.isFair(),
                plan.refused());
    }

    private static Duration outlasts(RoundPlan plan, Duration commandTimeout) {
        if (plan.isReplicated()) {
            return Duration.ZERO;
        }
        return plan.theme().isOnCluster() || plan.theme().isUnderSentinels() ? FAILOVER_TIMEOUT : commandTimeout;
    }

    /** {@return a summary of the round in one line} */
    String figures() {
        List<Operation> operations = history.calls();
        long grants = operations.stream()
                .filter(operation -> operation.is(Outcome.GRANTED))
                .count();
        long stalls = history.all(Event.StoodStill.class).count();
        return operations.size() + " operations, " + grants + " acquisitions, "
                + violations().size() + " violations, " + undecided().size() + " undecided"
                + (stalls == 0 ? "" : ", processes stood still " + stalls + " times");
    }

    /** {@return a description of each violation} */
    List<String> violations() {
        List<String> violations = new ArrayList<>(complaints);
        for (Verdict verdict : verdicts) {
            verdict.violations().forEach(violation -> violations.add(verdict.rule() + ": " + violation));
        }
        return violations;
    }

    /** {@return a description of each violation, with the events around the first ones of each rule} */
    List<String> explained() {
        List<String> lines = new ArrayList<>(complaints);
        Excerpt excerpt = new Excerpt(history);
        for (Verdict verdict : verdicts) {
            int explained = 0;
            for (Violation violation : verdict.violations()) {
                lines.add("");
                lines.add(verdict.rule() + ": " + violation);
                if (explained < MOST_EXPLAINED) {
                    lines.addAll(excerpt.around(violation));
                    explained++;
                }
            }
        }
        return lines;
    }

    List<String> undecided() {
        return verdicts.stream()
                .flatMap(verdict -> verdict.undecided().stream().map(what -> verdict.rule() + ": " + what))
                .toList();
    }
}
