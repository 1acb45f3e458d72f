package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Nobody passes the line of a semaphore, so that a request for many permits has its turn. A client has one place in it, for the
 * first of its callers. A waiter has that {@link Terms#prompt} after its call, or after the end of those calls of its client that
 * began before it: the first command of a client takes some time. From then on, {@value #TURNS} holds of one other client, each
 * requested later, are not granted before its own. One is allowed: a client that stays in line when its caller gives up has its
 * place for the next one.
 *
 * <p>Not judged is the time of a fault of its own client or of the server, and until that is connected again; after the loss of the
 * semaphore, for a lease longer. The faults of other clients cost it no place. Where clients form no lines, nothing is promised.
 */
final class PermitsInTurn implements Checker {
    static final int TURNS = 3;

    /** The number of moments in {@link Terms#prompt}: of two calls of one client that are that close, any may be ahead. */
    private static final int MOMENTS = 10;

    private final Terms terms;

    PermitsInTurn(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("permits are granted in the order of the line");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> bySemaphore = history.semaphoreOperations().stream()
                .filter(operation -> operation.called().what().acquires())
                .collect(Collectors.groupingBy(Operation::lock));
        bySemaphore.forEach((semaphore, operations) -> {
            List<Operation> grants = spans.of(semaphore).stream()
                    .map(Span::grant)
                    .sorted(Comparator.comparingLong(Operation::end))
                    .toList();
            for (Operation waiter : operations) {
                if (terms.lined() && waiter.called().waitMillis() != 0) {
                    draft.judged(1);
                    long until = Math.min(
                            Math.min(waiter.end(), history.end()),
                            windows.killed(waiter.op().process()));
                    long since = inLine(waiter, operations);
                    excused(waiter, windows).leftOf(since, until).forEach(time -> judge(waiter, time, grants, draft));
                }
            }
        });
        return draft.verdict();
    }

    /** {@return when the waiter has its client's place in line at the latest} */
    private long inLine(Operation waiter, List<Operation> operations) {
        long prompt = terms.prompt().toNanos();
        long called = waiter.called().at();
        long ahead = operations.stream()
                .filter(other -> other.client().equals(waiter.client())
                        && !other.op().equals(waiter.op())
                        && other.called().waitMillis() != 0
                        && other.called().at() <= called + prompt / MOMENTS)
                .mapToLong(Operation::end)
                .max()
                .orElse(called);
        return ahead == Operation.NEVER ? ahead : Math.max(called, ahead) + prompt;
    }

    private Times excused(Operation waiter, Windows windows) {
        Times times = new Times();
        windows.all().stream()
                .filter(window -> window.hits(waiter.op().process()))
                .forEach(window -> times.add(window.since(), mended(window.until())));
        windows.losses(waiter.lock())
                .forEach(loss -> times.add(
                        loss.since(), mended(loss.at()) + terms.lease().toNanos()));
        return times;
    }

    private long mended(long end) {
        return end == Operation.NEVER ? end : end + terms.mendingNanos();
    }

    private static void judge(Operation waiter, Time time, List<Operation> grants, Verdict.Draft draft) {
        Map<String, List<Operation>> byClient = grants.stream()
                .filter(grant -> grant.called().at() > time.since() && grant.end() < time.until())
                .filter(grant -> !grant.client().equals(waiter.client()))
                .collect(Collectors.groupingBy(Operation::client));
        byClient.forEach((client, turns) -> {
            if (turns.size() >= TURNS) {
                draft.violated(
                        turns.get(TURNS - 1).end(),
                        waiter.lock(),
                        waiter.owner() + " (" + waiter.op() + ") was passed by " + turns.size() + " holds of " + client
                                + ", each requested later, at first by "
                                + turns.get(0).op());
            }
        });
    }
}
