package dev.holdfast.internal.session;

import dev.holdfast.internal.redis.Replication;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which locks of a client are replicated, and how.
 *
 * @param replicas how many must have a grant; at least 1
 * @param timeout how long to wait for them
 * @param names by the name that the user gives a lock; null if all are replicated
 */
public record ReplicatedLocks(
        int replicas, Duration timeout, @Nullable Predicate<String> names) {
    /** All locks of the client, which the user has configured so. */
    public static ReplicatedLocks all(int replicas, Duration timeout) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas must be at least 1, was " + replicas);
        }
        return new ReplicatedLocks(replicas, Arguments.positive("timeout", timeout), null);
    }

    /** Some locks only. */
    public ReplicatedLocks only(Predicate<String> some) {
        return new ReplicatedLocks(replicas, timeout, Objects.requireNonNull(some, "names"));
    }

    /** {@return what the links of these locks do for that} */
    public Replication replication() {
        return new Replication(replicas, Math.max(1, timeout.toMillis()));
    }

    /** {@return whether some locks may be replicated, and others not: then they have connections of their own} */
    public boolean areSome() {
        return names != null;
    }

    public boolean contains(String name) {
        return names == null || names.test(name);
    }
}
