package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A lock that goes from hand to hand is had by those who poll, too. Nobody who only tries can be told when to try, so one try is as
 * good as another: many of them in a row by one client, all in vain, while the lock was passed on many times, are no bad luck. Whoever
 * hands a lock on within a client has to leave it to others now and then.
 *
 * <p>A row ends with a try that was granted, and with a fault. It is judged if it has {@value #TRIES} tries in {@value
 * #PROMPT_TIMES} times what is prompt, and the lock was acquired {@value #GRANTS} times by others meanwhile: then it was nobody's
 * for long.
 */
final class Pollers implements Checker {
    static final int TRIES = 200;
    static final int GRANTS = 200;

    /** With a chance to get it in each tenth of a second, one of three has none in one of 10,000 such times. */
    static final int PROMPT_TIMES = 8;

    private final Terms terms;

    Pollers(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("who polls gets a lock that is passed on");
        Windows windows = new Windows(history);
        Map<String, List<Operation>> byLock = history.operations().stream()
                .filter(operation -> operation.called().what().acquires() && operation.isKnown())
                .collect(Collectors.groupingBy(Operation::lock));
        byLock.forEach((lock, operations) -> {
            Map<String, List<Operation>> byClient = operations.stream()
                    .filter(operation -> operation.called().waitMillis() == 0)
                    .sorted(Comparator.comparingLong(Operation::end))
                    .collect(Collectors.groupingBy(Operation::client));
            byClient.values().forEach(tries -> judge(tries, operations, windows, draft));
        });
        return draft.verdict();
    }

    /** @param tries of one client, in their order */
    private void judge(List<Operation> tries, List<Operation> operations, Windows windows, Verdict.Draft draft) {
        List<Operation> row = new ArrayList<>();
        for (Operation next : tries) {
            draft.judged(1);
            if (!row.isEmpty()
                    && windows.broken(row.get(row.size() - 1).called().at(), next.end())) {
                judgeRow(row, operations, draft);
                row.clear();
            }
            if (next.is(Outcome.GRANTED)) {
                judgeRow(row, operations, draft);
                row.clear();
            } else {
                row.add(next);
            }
        }
        judgeRow(row, operations, draft);
    }

    private void judgeRow(List<Operation> row, List<Operation> operations, Verdict.Draft draft) {
        if (row.size() < TRIES) {
            return;
        }
        Operation first = row.get(0);
        Time time = new Time(first.called().at(), row.get(row.size() - 1).end());
        long grants = operations.stream()
                .filter(operation -> operation.is(Outcome.GRANTED)
                        && operation.end() > time.since()
                        && operation.end() < time.until())
                .count();
        long took = time.until() - time.since();
        if (took > PROMPT_TIMES * terms.prompt().toNanos() && grants >= GRANTS) {
            draft.violated(
                    time.since(),
                    first.lock(),
                    row.size() + " tries of " + first.client() + " in " + took
                            + " ns were all in vain, while others had the " + "lock " + grants + " times");
        }
    }
}
