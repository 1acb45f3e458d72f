package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The times at which a lock can be held by an {@linkplain GivenUp abandoned} acquisition. */
final class Orphans {
    /** For each beginning, the latest end of those that begin no later. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    Orphans(Terms terms, Windows windows, List<Operation> operations) {
        operations.stream()
                .filter(GivenUp::is)
                .map(operation -> GivenUp.of(operation, terms, windows))
                .sorted(Comparator.comparingLong(GivenUp::since))
                .forEach(this::add);
    }

    private void add(GivenUp orphan) {
        Map.Entry<Long, Long> before = ends.lastEntry();
        long end = before == null ? orphan.until() : Math.max(before.getValue(), orphan.until());
        ends.put(orphan.since(), end);
    }

    /** {@return whether there can be one at any time between the two} */
    boolean possible(long from, long to) {
        Map.Entry<Long, Long> entry = ends.floorEntry(to);
        return entry != null && entry.getValue() >= from;
    }
}
