package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A call for a segment gets any that is free. It finds none only if each of its segments can have been held at some time
 * during the call; and it does not wait for longer than twice {@link Terms#prompt} while one of them is free, since it
 * takes several round trips. A segment is free when, by the definition in {@link WakeUps}, no owner can have it, and no
 * fault can keep a caller from it. {@link Failures} judges calls that fail.
 */
final class AnyFree implements Checker {
    private static final int PROMPT_TIMES = 2;

    private final Terms terms;

    AnyFree(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a call for a segment gets any that is free");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, Use> uses = new HashMap<>();
        history.operations().stream()
                .collect(Collectors.groupingBy(Operation::lock))
                .forEach((lock, operations) -> uses.put(lock, Use.of(lock, operations, terms, windows, spans)));
        Set<String> calls = new HashSet<>();
        Set<String> violated = new HashSet<>();
        for (Operation operation : history.operations()) {
            if (operation.called().by() == By.SEGMENT
                    && operation.called().what().acquires()
                    && !violated.contains(operation.owner())) {
                draft.judged(calls.add(operation.owner()) ? 1 : 0);
                long until = Math.min(
                        Math.min(operation.end(), history.end()),
                        windows.killed(operation.op().process()));
                if (!judge(operation, until, Objects.requireNonNull(uses.get(operation.lock())), draft)) {
                    violated.add(operation.owner());
                }
            }
        }
        return draft.verdict();
    }

    /** {@return whether the rule is kept} */
    private boolean judge(Operation operation, long until, Use use, Verdict.Draft draft) {
        long called = operation.called().at();
        if (operation.is(Outcome.REFUSED) && use.isFree(called, until)) {
            draft.violated(
                    called,
                    operation.lock(),
                    named(operation) + " found no segment, but no owner had this one during the whole call");
            return false;
        }
        for (Time time : use.freeWithin(called, until)) {
            if (use.freeNanos(time) > PROMPT_TIMES * terms.prompt().toNanos()) {
                draft.violated(
                        time.since(),
                        operation.lock(),
                        named(operation) + " waited for " + use.freeNanos(time)
                                + " ns while no owner had this segment");
                return false;
            }
        }
        return true;
    }

    private static String named(Operation operation) {
        return operation.called().what() + " of " + operation.owner() + " (" + operation.op() + ")";
    }
}
