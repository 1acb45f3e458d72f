package dev.holdfast.cli.top;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen of one node in its last second.
 *
 * @param at when; empty before the first second is over
 * @param entries in no particular order; those of before if the node is lost
 * @param lost why the node does not answer
 * @param refusal why its keys cannot be searched
 * @param failures why names could not be read, by name
 * @param hasSearched whether all keys were looked at once
 * @param keys about how many keys were looked at until then
 */
record NodeView(
        Optional<Instant> at,
        List<Entry> entries,
        Optional<String> lost,
        Optional<String> refusal,
        Map<String, String> failures,
        boolean hasSearched,
        long keys) {
    /** Before the first second is over. */
    static final NodeView UNKNOWN =
            new NodeView(Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Map.of(), false, 0);

    NodeView {
        entries = List.copyOf(entries);
        failures = Map.copyOf(failures);
    }
}
