package dev.holdfast.campaign.run;

import dev.holdfast.campaign.check.Checker;
import dev.holdfast.campaign.check.Terms;
import dev.holdfast.campaign.check.Verdict;
import dev.holdfast.campaign.check.Violation;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.schedule.RoundPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a round.
 *
 * @param verdicts of every checker
 * @param complaints what went wrong without a checker: who did not come to an end, or failed as nobody may
 * @param directory where the journals are
 */
record RoundOutcome(RoundPlan plan, History history, List<Verdict> verdicts, List<String> complaints, Path directory) {
    /** What a busy machine may add to an answer, and to whatever is to happen at once. */
    private static final Duration SLACK = Duration.ofMillis(300);

    /** Less than half of the shortest lease that is renewed: whoever sleeps to the end of one is seen. */
    private static final Duration PROMPT = Duration.ofMillis(700);

    static RoundOutcome of(RoundPlan plan, History history, List<String> complaints, Path directory) {
        List<Verdict> verdicts = Checker.all(terms(plan)).stream()
                .map(checker -> checker.check(history))
                .toList();
        return new RoundOutcome(plan, history, verdicts, List.copyOf(complaints), directory);
    }

    private static Terms terms(RoundPlan plan) {
        Duration lease = plan.watchdogTimeout();
        return new Terms(lease, lease.dividedBy(100), lease.dividedBy(3).plus(SLACK), PROMPT, plan.patience());
    }

    /** {@return the round in a line, for people} */
    String figures() {
        List<Operation> operations = history.operations();
        long grants = operations.stream()
                .filter(operation -> operation.is(Outcome.GRANTED))
                .count();
        return operations.size() + " operations, " + grants + " acquisitions, "
                + violations().size() + " violations, " + undecided().size() + " undecided";
    }

    /** {@return what must not be, in words} */
    List<String> violations() {
        List<String> violations = new ArrayList<>(complaints);
        for (Verdict verdict : verdicts) {
            verdict.violations().forEach(violation -> violations.add(verdict.rule() + ": " + violation));
        }
        return violations;
    }

    /** {@return what must not be, each with the events around it} */
    List<String> explained() {
        List<String> lines = new ArrayList<>(complaints);
        Excerpt excerpt = new Excerpt(history);
        for (Verdict verdict : verdicts) {
            for (Violation violation : verdict.violations()) {
                lines.add("");
                lines.add(verdict.rule() + ": " + violation);
                lines.addAll(excerpt.around(violation));
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
