package dev.holdfast.cli.found;

import java.util.List;

/**
 * What a {@link LockScan} has found.
 *
 * @param locks the names of those that are held, sorted
 * @param semaphores the names of those that have a key, sorted
 */
public record FoundNames(List<String> locks, List<String> semaphores) {
    public FoundNames {
        locks = List.copyOf(locks);
        semaphores = List.copyOf(semaphores);
    }
}
