package dev.holdfast.cli.top;

import dev.holdfast.WrongKindException;
import dev.holdfast.cli.found.Target;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The targets that one node is known to have, with what was read of them. One that is no longer in use is kept for a while, since a lock
 * that is contended is free at some moments. Not safe for use by several threads.
 */
final class KnownTargets {
    static final Duration KEPT = Duration.ofSeconds(10);

    private static final class Known {
        private final Target target;
        private final boolean isNamed;
        private List<Entry> entries = List.of();
        private boolean isReadWrite;
        private long round;
        private long usedAtNanos;
        private @Nullable String failure;

        Known(Target target, boolean isNamed, long nowNanos) {
            this.target = target;
            this.isNamed = isNamed;
            this.usedAtNanos = nowNanos;
        }
    }

    private final Map<Target, Known> all = new LinkedHashMap<>();
    private long round = 1;

    /** @param isNamed whether it is kept for ever */
    void add(Target target, boolean isNamed, long nowNanos) {
        Target read = target.kind() == Target.Kind.CONDITIONS ? new Target(Target.Kind.LOCK, target.name()) : target;
        all.computeIfAbsent(read, added -> new Known(added, isNamed, nowNanos));
    }

    boolean isKnownLock(String name) {
        return all.containsKey(new Target(Target.Kind.LOCK, name));
    }

    /** Begins a round of reading, in which each is read once, and forgets those that are not in use any more. */
    void beginRound(long nowNanos) {
        round++;
        all.values().removeIf(known -> !known.isNamed && nowNanos - known.usedAtNanos > KEPT.toNanos());
    }

    /** {@return so many of those that are to be read in this round, the one that was read first of all first} */
    List<Target> next(int most) {
        return all.values().stream()
                .filter(known -> known.round < round)
                .sorted(Comparator.comparingLong(known -> known.round))
                .limit(most)
                .map(known -> known.target)
                .toList();
    }

    boolean isReadWrite(Target target) {
        return get(target).isReadWrite;
    }

    /** {@return whether each has been read, since the first one} */
    boolean areRead() {
        return all.values().stream().allMatch(known -> known.round > 0);
    }

    void noteRead(Target target, List<Entry> entries, long nowNanos) {
        Known known = get(target);
        known.round = round;
        known.entries = entries;
        known.failure = null;
        if (!entries.isEmpty()) {
            known.usedAtNanos = nowNanos;
        }
    }

    /** Takes note that it was not read. The other kind of lock is tried in the same round. */
    void noteFailure(Target target, RuntimeException failure) {
        Known known = get(target);
        if (failure instanceof WrongKindException) {
            known.isReadWrite = !known.isReadWrite;
        } else {
            known.round = round;
            known.failure = String.valueOf(failure.getMessage());
        }
    }

    private Known get(Target target) {
        return Optional.ofNullable(all.get(target)).orElseThrow();
    }

    List<Entry> entries() {
        return all.values().stream().flatMap(known -> known.entries.stream()).toList();
    }

    /** {@return why names that are not in use as another kind could not be read, by name} */
    Map<String, String> failures() {
        Set<String> used = entries().stream().map(Entry::name).collect(Collectors.toSet());
        Map<String, String> failures = new LinkedHashMap<>();
        for (Known known : all.values()) {
            if (known.failure != null && !used.contains(known.target.name())) {
                failures.putIfAbsent(known.target.name(), known.failure);
            }
        }
        return failures;
    }
}
