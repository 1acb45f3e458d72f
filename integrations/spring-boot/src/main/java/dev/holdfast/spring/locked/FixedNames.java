package dev.holdfast.spring.locked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks and semaphores whose names no call changes: each of them is a read-write lock for all methods, or for none, and has
 * one number of permits.
 */
final class FixedNames {
    /** The first method with it, by the client, the annotation and the name. */
    private final Map<List<Object>, LockedMethod> known = new HashMap<>();

    /**
     * {@return why the method cannot have what it names beside the others, or null if it can}
     *
     * @param client the name of the bean that is its client
     */
    @Nullable
    String violation(String client, LockedMethod locked) {
        if (locked.key() != null) {
            return null;
        }
        LockedMethod other = known.putIfAbsent(List.of(client, locked.annotation(), locked.name()), locked);
        return other == null ? null : locked.claim().conflict(locked.name(), other.claim(), other.method());
    }
}
