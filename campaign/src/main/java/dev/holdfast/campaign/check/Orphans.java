package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a lock can be held for nobody: by an acquisition that was given up, from its call until a lease after it was known to
 * have failed.
 */
final class Orphans {
    /** For the beginnings, in order, the latest end of those that began by then. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    Orphans(Terms terms, Windows windows, List<Operation> operations) {
        operations.stream()
                .filter(operation -> operation.called().what().acquires() && !operation.isKnown())
                .sorted(Comparator.comparingLong(operation -> operation.called().at()))
                .forEach(operation -> add(operation, terms, windows));
    }

    private void add(Operation givenUp, Terms terms, Windows windows) {
        long end = Math.min(givenUp.end(), windows.killed(givenUp.op().process()));
        if (end != Operation.NEVER) {
            end += terms.leaseNanos(givenUp.called().leaseMillis())
                    + terms.answer().toNanos();
        }
        Map.Entry<Long, Long> before = ends.lastEntry();
        ends.put(givenUp.called().at(), before == null ? end : Math.max(before.getValue(), end));
    }

    /** {@return whether there can be one at any time between the two} */
    boolean possible(long from, long to) {
        Map.Entry<Long, Long> entry = ends.floorEntry(to);
        return entry != null && entry.getValue() >= from;
    }
}
