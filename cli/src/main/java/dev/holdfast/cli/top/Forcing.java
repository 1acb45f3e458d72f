package dev.holdfast.cli.top;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.cli.found.FoundLock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is to be forced open, after a question that has named those that hold it.
 *
 * @param entry the lock or the semaphore
 * @param holders those that lose it; of a semaphore one
 */
record Forcing(Entry entry, List<Entry.Holder> holders) {
    private static final int NAMED = 5;

    Forcing {
        holders = List.copyOf(holders);
    }

    /** {@return the question, which names the holders} */
    String question() {
        String all = holders.stream().limit(NAMED).map(Forcing::named).collect(Collectors.joining(", "));
        String more = holders.size() > NAMED ? " and " + (holders.size() - NAMED) + " more" : "";
        return (isSemaphore() ? "Release the permits of semaphore '" : "Force open lock '") + entry.name()
                + "', held by " + all + more
                + "? A holder that is alive runs on beside the next one until its next renewal. y: yes, any other key: no";
    }

    private static String named(Entry.Holder holder) {
        return holder.label().map(label -> label + " (" + holder.owner() + ")").orElse(holder.owner());
    }

    private boolean isSemaphore() {
        return entry.kind() == Entry.Kind.SEMAPHORE;
    }

    /** {@return what has come of it} If others hold it by now than the question has named, it is left alone. */
    String execute(Holdfast holdfast) {
        try {
            if (isSemaphore()) {
                return holdfast.getSemaphore(entry.name(), 1)
                                .forceRelease(holders.get(0).owner())
                        ? "the permits of " + holders.get(0).shown() + " were released"
                        : holders.get(0).shown() + " has no permits any more";
            }
            Set<String> now = FoundLock.of(holdfast, entry.name()).owners();
            if (!now.equals(holders.stream().map(Entry.Holder::owner).collect(Collectors.toSet()))) {
                return "lock '" + entry.name() + "' is free, or held by others by now: nothing was done";
            }
            return FoundLock.forceOpen(holdfast, entry.name())
                    ? "lock '" + entry.name() + "' was forced open"
                    : "lock '" + entry.name() + "' was free by then";
        } catch (LockException e) {
            return "it failed: " + e.getMessage();
        }
    }
}
