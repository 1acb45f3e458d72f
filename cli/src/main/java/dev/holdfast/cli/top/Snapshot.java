package dev.holdfast.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What {@code top} shows.
 *
 * @param entries what is in use, in no particular order
 * @param at when it was read
 * @param notes what a user has to know about it
 * @param isLost whether a node does not answer, so that what it has is as old as that
 */
record Snapshot(List<Entry> entries, Instant at, List<String> notes, boolean isLost) {
    /** What is read each second is not as old as this. */
    private static final Duration OLD = Duration.ofSeconds(3);

    /** A lock whose slot moves is seen at two nodes for a while. */
    static Snapshot of(Collection<NodeView> nodes, Instant at) {
        Map<Entry.Id, Entry> entries = new LinkedHashMap<>();
        nodes.forEach(node -> node.entries().forEach(entry -> entries.put(entry.id(), entry)));
        List<String> lost = nodes.stream().flatMap(node -> node.lost().stream()).toList();
        return new Snapshot(
                List.copyOf(entries.values()),
                at,
                Stream.of(lostNote(lost), age(nodes, at), refusal(nodes), search(nodes), failures(nodes))
                        .flatMap(Optional::stream)
                        .toList(),
                !lost.isEmpty());
    }

    private static Optional<String> lostNote(List<String> lost) {
        return lost.stream().findFirst().map(why -> "not connected, what is shown may be old: " + why);
    }

    private static Optional<String> age(Collection<NodeView> nodes, Instant now) {
        return nodes.stream()
                .flatMap(node -> node.at().stream())
                .min(Comparator.naturalOrder())
                .map(oldest -> Duration.between(oldest, now))
                .filter(age -> age.compareTo(OLD) > 0)
                .map(age -> "the node is slow: some of it was read " + age.toSeconds() + " s ago");
    }

    private static Optional<String> refusal(Collection<NodeView> nodes) {
        return nodes.stream()
                .flatMap(node -> node.refusal().stream())
                .findFirst()
                .map(why -> "only the names given, since a search is refused: " + why);
    }

    private static Optional<String> search(Collection<NodeView> nodes) {
        long keys = nodes.stream().mapToLong(NodeView::keys).sum();
        return nodes.stream().allMatch(NodeView::hasSearched)
                ? Optional.empty()
                : Optional.of("not all keys were looked at yet, but about " + keys);
    }

    private static Optional<String> failures(Collection<NodeView> nodes) {
        Map<String, String> failures = new TreeMap<>();
        nodes.forEach(node -> failures.putAll(node.failures()));
        return failures.entrySet().stream()
                .findFirst()
                .map(first -> (failures.size() == 1
                                ? "'" + first.getKey() + "' cannot be read: "
                                : failures.size() + " names cannot be read, as '" + first.getKey() + "': ")
                        + first.getValue());
    }
}
