package dev.holdfast.cli.top;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The orders of the table of {@code top}. */
public enum EntryOrder {
    /** What has been held for longest first, then that of which it is not known. */
    HELD("longest held first", Comparator.comparing((Entry entry) -> entry.since()
            .orElse(Instant.MAX))),
    /** The longest line, or the most waiters, first. */
    LINE("longest line first", Comparator.comparingInt(Entry::waiting).reversed()),
    /** By name. */
    NAME("by name", Comparator.comparing(Entry::name));

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // a function without a state
    private final Comparator<Entry> comparator;

    EntryOrder(String words, Comparator<Entry> comparator) {
        this.words = words;
        this.comparator =
                comparator.thenComparing(Entry::name).thenComparing(Entry::kind).thenComparing(Entry::condition);
    }

    /** {@return the order that a user means; empty if there is none} */
    public static Optional<EntryOrder> named(String word) {
        return Stream.of(values())
                .filter(order -> order.name().equalsIgnoreCase(word))
                .findFirst();
    }

    String words() {
        return words;
    }

    EntryOrder next() {
        return switch (this) {
            case HELD -> LINE;
            case LINE -> NAME;
            case NAME -> HELD;
        };
    }

    List<Entry> sorted(List<Entry> entries) {
        return entries.stream().sorted(comparator).toList();
    }
}
