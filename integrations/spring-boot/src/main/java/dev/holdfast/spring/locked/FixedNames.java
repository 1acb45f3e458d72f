package dev.holdfast.spring.locked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks whose names no call changes: each of them is a read-write lock for all methods, or for none. */
final class FixedNames {
    /** The first method with the lock, by the client and the name. */
    private final Map<List<String>, LockedMethod> known = new HashMap<>();

    /**
     * {@return why the method cannot have a lock of this name beside the others, or null if it can}
     *
     * @param client the name of the bean that is its client
     */
    @Nullable
    String violation(String client, LockedMethod locked) {
        if (locked.key() != null) {
            return null;
        }
        LockedMethod other = known.putIfAbsent(List.of(client, locked.name()), locked);
        if (other == null || isReadWrite(other) == isReadWrite(locked)) {
            return null;
        }
        return "the lock " + locked.name() + " has the mode " + locked.mode() + " here, and " + other.mode() + " in "
                + other.method()
                + ", so that each would fail while the other runs: make both READ or WRITE, or give one of"
                + " them another name";
    }

    private static boolean isReadWrite(LockedMethod locked) {
        return locked.mode() != LockedMode.EXCLUSIVE;
    }
}
