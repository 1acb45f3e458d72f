package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Each lock behaves like one that does everything at one moment: there is an order of all that happened to it, each thing
 * between its call and its return, in which every answer is right. The lock is a mutex that knows owners, re-entry, leases
 * and tokens; {@link Steps} has its rules, {@link LockState} its states, {@link Search} looks for the order.
 *
 * <p>What is lenient, so that a complaint is certain:
 *
 * <ul>
 *   <li>a lease counts from the earliest moment at which the command can have been sent, less the drift allowance, and may
 *       be over from then on, or not;
 *   <li>after a lease that may be over, a release of unknown outcome, and while an acquisition that was given up may linger,
 *       "busy" and "free" are both right until the next grant;
 *   <li>a hold that was passed on within a client by a release that found the lock lost, and that was lost itself, need never
 *       have been on the server (<em>Handing on</em>, in the guarantees).
 * </ul>
 *
 * Only the first contradiction of each lock is told: what follows it proves nothing.
 */
final class Linearizability implements Checker {
    /** States looked at for one lock; more than a thousand for each of 10,000 calls. */
    private static final long BUDGET = 10_000_000;

    private final Terms terms;
    private final long budget;

    Linearizability(Terms terms) {
        this(terms, BUDGET);
    }

    /** With a budget of its own: how many states may be looked at for one lock before it is called undecided. */
    Linearizability(Terms terms, long budget) {
        this.terms = terms;
        this.budget = budget;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("each lock is linearizable");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock = history.operations().stream()
                .collect(Collectors.groupingBy(Operation::lock, TreeMap::new, Collectors.toList()));
        byLock.forEach((lock, operations) -> {
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
}
