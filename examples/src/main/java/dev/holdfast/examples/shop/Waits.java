package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * How long sellers waited for their turns.
 *
 * @param sorted from the shortest to the longest
 */
record Waits(List<Duration> sorted) {
    static Waits of(Collection<Duration> waits) {
        return new Waits(waits.stream().sorted().toList());
    }

    static Waits all(Collection<Waits> parts) {
        return of(parts.stream().flatMap(part -> part.sorted().stream()).toList());
    }

    int count() {
        return sorted.size();
    }

    /**
     * {@return the shortest wait that at least this percentage of all waits did not exceed; zero if there are no waits}
     */
    Duration percentile(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("percent must be between 1 and 100, was " + percent);
        }
        return sorted.isEmpty() ? Duration.ZERO : sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }
}
