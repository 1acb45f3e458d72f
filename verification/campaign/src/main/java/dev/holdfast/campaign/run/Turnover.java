package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.Comparator;
import java.util.List;

/** Counts how locks pass from owner to owner. */
final class Turnover {
    private Turnover() {}

    /**
     * {@return how often a lock passed from one owner to the next within a client, the next having waited for it: by a
     * handoff, unless the client's turn was over}
     */
    static long within(List<String> locks, List<Operation> operations) {
        return locks.stream().mapToLong(lock -> within(lock, operations)).sum();
    }

    private static long within(String lock, List<Operation> operations) {
        List<Operation> grants = operations.stream()
                .filter(operation -> operation.lock().equals(lock) && operation.is(Outcome.GRANTED))
                .sorted(Comparator.comparingLong(Operation::end))
                .toList();
        long count = 0;
        for (int i = 1; i < grants.size(); i++) {
            Operation before = grants.get(i - 1);
            Operation next = grants.get(i);
            boolean waited = next.called().at() < before.end() && next.called().what() != What.TRY;
            count += waited
                            && next.client().equals(before.client())
                            && !next.owner().equals(before.owner())
                    ? 1
                    : 0;
        }
        return count;
    }
}
