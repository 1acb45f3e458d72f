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
 * A lock that is passed on is also acquired by callers that poll. A caller that only tries cannot be notified of a
 * release, so each attempt has the same chance; if many attempts of one client in sequence all fail while the lock is
 * passed on many times, that is no coincidence. A client that passes a lock on by handoffs must leave it to others from
 * time to time.
 *
 * <p>Not so with a read-write lock: while a writer waits, readers that only try are refused.
 *
 * <p>A sequence ends with a granted attempt, and with a fault. It is judged if it has {@value #TRIES} attempts in
 * {@value #PROMPT_TIMES} times {@link Terms#prompt}, and others have acquired the lock {@value #GRANTS} times
 * between them, so that no owner held it for long.
 */
final class Pollers implements Checker {
    static final int TRIES = 200;
    static final int GRANTS = 200;

    /**
     * 5.6 s in the campaign. A lock that is passed on by handoffs is left free about 18 times in that time. A client
     * that wins a third of these races loses all of them in one of about 1,500 cases.
     */
    static final int PROMPT_TIMES = 8;

    private final Terms terms;

    Pollers(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a poller gets a lock that is handed off");
        Windows windows = new Windows(history);
        Map<String, List<Operation>> byLock = history.lockOperations().stream()
                .filter(operation -> operation.called().what().acquires() && operation.isKnown())
                .collect(Collectors.groupingBy(Operation::lock));
        byLock.values().removeIf(operations -> operations.stream().anyMatch(Operation::reads));
        byLock.forEach((lock, operations) -> {
            Map<String, List<Operation>> byClient = operations.stream()
                    .filter(operation -> operation.called().waitMillis() == 0)
                    .sorted(Comparator.comparingLong(Operation::end))
                    .collect(Collectors.groupingBy(Operation::client));
            byClient.values().forEach(tries -> judge(tries, operations, windows, draft));
        });
        return draft.verdict();
    }

    /** @param tries the attempts of one client, in order */
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
                    row.size() + " attempts of " + first.client() + " in " + took
                            + " ns all failed, while other owners acquired the " + "lock " + grants + " times");
        }
    }
}
