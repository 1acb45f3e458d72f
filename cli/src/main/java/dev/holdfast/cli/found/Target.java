package dev.holdfast.cli.found;

import java.util.Optional;

/**
 * What is read from Redis for one name.
 *
 * @param kind what the key says that it is
 * @param name of the lock, the semaphore or the latch
 */
public record Target(Kind kind, String name) {
    /** What a key says that it is; of the kinds of locks, only its content says which. */
    public enum Kind {
        LOCK,
        /** The conditions of a lock, which may be free. */
        CONDITIONS,
        SEMAPHORE,
        LATCH
    }

    private static final String SEMAPHORE = "holdfast_semaphore:";
    private static final String LATCH = "holdfast_latch:";
    private static final String CONDITIONS = "holdfast_condition:";

    /** {@return the target whose key begins as that of no lock, with its name behind, in braces unless it has one} */
    public static Optional<Target> named(String key) {
        return after(SEMAPHORE, key)
                .map(name -> new Target(Kind.SEMAPHORE, name))
                .or(() -> after(LATCH, key).map(name -> new Target(Kind.LATCH, name)))
                .or(() -> after(CONDITIONS, key).map(name -> new Target(Kind.CONDITIONS, name)));
    }

    private static Optional<String> after(String prefix, String key) {
        if (!key.startsWith(prefix)) {
            return Optional.empty();
        }
        String name = key.substring(prefix.length());
        boolean isInBraces = name.lastIndexOf('{') == 0 && name.endsWith("}");
        return Optional.of(isInBraces ? name.substring(1, name.length() - 1) : name);
    }
}
