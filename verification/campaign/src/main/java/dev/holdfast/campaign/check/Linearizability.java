package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Each lock is linearizable: there is an order of all operations on it, each of which takes effect at one moment
 * between its call and its return, in which every result is correct. The sequential object is a mutex with owners,
 * re-entry, leases and tokens: {@link Steps} has its rules, {@link LockState} its states, and {@link Search} searches
 * for the order.
 *
 * <p>The rules are lenient in three points, so that each violation is certain:
 *
 * <ul>
 *   <li>a lease counts from the earliest time at which the command can have been sent, less the drift allowance, and
 *       may be over at any time from then on;
 *   <li>after a lease that may be over, after a release of unknown outcome, and while an abandoned acquisition may have
 *       the lock, "busy" and "free" are both correct until the next grant;
 *   <li>a release that is sent again in a fault, of a hold that the server has lost, may have found nothing;
 *   <li>a hold that was handed off within a client by a release that found the lock lost, and that was lost itself,
 *       need never have existed on the server (<em>Handoffs</em>, in the guarantees).
 * </ul>
 *
 * Of a read-write lock, what its writers were granted is a mutex of that kind; a refusal shows nothing, since readers may
 * have had the lock.
 *
 * <p>Only the first contradiction of each lock is reported: those after it prove nothing.
 */
final class Linearizability implements Checker {
    /** The largest number of cases that are examined for one lock: a thousand for each of 10,000 calls. */
    private static final long BUDGET = 10_000_000;

    private final Terms terms;
    private final long budget;

    Linearizability(Terms terms) {
        this(terms, BUDGET);
    }

    /** With a budget of its own: the number of cases after which a lock is reported as undecided. */
    Linearizability(Terms terms, long budget) {
        this.terms = terms;
        this.budget = budget;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("each lock is linearizable");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock = history.lockOperations().stream()
                .collect(Collectors.groupingBy(Operation::lock, TreeMap::new, Collectors.toList()));
        byLock.forEach((lock, all) -> {
            List<Operation> operations = isReadWrite(all) ? granted(all) : all;
            draft.judged(operations.size());
            Search search = new Search(Steps.of(lock, operations, terms, windows, spans), budget);
            switch (search.run()) {
                case FOUND -> {}
                case IMPOSSIBLE -> draft.violated(search.at(), lock, search.explanation());
                case GIVEN_UP -> draft.undecided("lock " + lock + ": " + search.explanation());
            }
        });
        return draft.verdict();
    }

    private static boolean isReadWrite(List<Operation> operations) {
        return operations.stream().anyMatch(Operation::reads);
    }

    private static List<Operation> granted(List<Operation> operations) {
        return operations.stream()
                .filter(operation -> !operation.reads() && !operation.is(Outcome.REFUSED))
                .toList();
    }
}
