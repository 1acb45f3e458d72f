package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of a lock in Redis at one moment. A detail that cannot be known is empty. A value. */
public final class LockInfo {
    private final String name;
    private final List<LockHolder> holders;
    private final @Nullable Duration remainingLease;
    private final OptionalInt listeners;
    private final int clientsInLine;
    private final List<Request> line;
    private final Map<String, List<String>> conditionWaiters;

    private LockInfo(
            String name,
            List<LockHolder> holders,
            @Nullable Duration remainingLease,
            OptionalInt listeners,
            int clientsInLine,
            List<Request> line,
            Map<String, List<String>> conditionWaiters) {
        this.name = name;
        this.holders = List.copyOf(holders);
        this.remainingLease = remainingLease;
        this.listeners = listeners;
        this.clientsInLine = clientsInLine;
        this.line = List.copyOf(line);
        this.conditionWaiters = conditionWaiters;
    }

    /**
     * {@return a state with these values, no client in line, and no waiter for a condition, for tests of code that reads it}
     *
     * @param remainingLease null if the lock is free, or its key has no expiry
     * @param listeners empty if it is not known
     */
    public static LockInfo of(
            String name, List<LockHolder> holders, @Nullable Duration remainingLease, OptionalInt listeners) {
        return new LockInfo(name, holders, remainingLease, listeners, 0, List.of(), Map.of());
    }

    /** {@return this state with another number of listeners} */
    public LockInfo withListeners(OptionalInt clients) {
        return new LockInfo(name, holders, remainingLease, clients, clientsInLine, line, conditionWaiters);
    }

    /** {@return this state with another number of clients in line} */
    public LockInfo withClientsInLine(int clients) {
        return new LockInfo(name, holders, remainingLease, listeners, clients, line, conditionWaiters);
    }

    /** {@return this state with other requests in line} */
    public LockInfo withLine(List<Request> requests) {
        return new LockInfo(name, holders, remainingLease, listeners, clientsInLine, requests, conditionWaiters);
    }

    /** {@return this state with other waiters for conditions: for each, by its name, their owners in order} */
    public LockInfo withConditionWaiters(Map<String, List<String>> owners) {
        Map<String, List<String>> copy = owners.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> List.copyOf(of.getValue())));
        return new LockInfo(name, holders, remainingLease, listeners, clientsInLine, line, copy);
    }

    /** {@return the lock's name} */
    public String name() {
        return name;
    }

    /** {@return whether any owner holds the lock} */
    public boolean isLocked() {
        return !holders.isEmpty();
    }

    /**
     * {@return the owners that hold the lock, in no particular order; unmodifiable, and empty when the lock is free}
     */
    public List<LockHolder> holders() {
        return holders;
    }

    /**
     * {@return the owner that holds the lock, if exactly one does, as is the case for a lock that is held exclusively}
     */
    public Optional<LockHolder> holder() {
        return holders.size() == 1 ? Optional.of(holders.get(0)) : Optional.empty();
    }

    /** {@return the sum of the hold counts of all holders; 0 when the lock is free} */
    public int holdCount() {
        return holders.stream().mapToInt(LockHolder::holdCount).sum();
    }

    /**
     * {@return how long Redis keeps the lock without renewal, for the owner for which that is longest; empty when the lock is free
     * or its key has no expiry}
     */
    public Optional<Duration> remainingLease() {
        return Optional.ofNullable(remainingLease);
    }

    /**
     * {@return how many clients are subscribed to the lock's release: they wait for the lock, or did a second or two
     * ago; this client may be one of them} Empty when the Redis user has no right to query it, or the connection was
     * lost before the reply.
     */
    public OptionalInt listeners() {
        return listeners;
    }

    /**
     * {@return how many clients wait in line for the lock} The release grants it to the first of them. For a {@linkplain
     * Holdfast#getFairLock fair} lock, each owner counts. Clients that wait without a place in line, such as those of other
     * libraries, are only counted by {@link #listeners}.
     */
    public int clientsInLine() {
        return clientsInLine;
    }

    /**
     * {@return the requests in line, the one that is granted next first: one for each of the {@link #clientsInLine}} Those to read are
     * granted together, when the writer before them is done. A place in a format of a later version is left out. Unmodifiable.
     */
    public List<Request> line() {
        return line;
    }

    /**
     * {@return the owners that wait for a {@linkplain DistributedLock#getCondition condition} of the lock, by the name of that; each
     * list in the order in which {@code signal()} wakes them} The condition without a name has an empty one. Unmodifiable. A condition
     * for which nobody waits is missing, and the map is empty if the Redis user has no right to read them, or the connection was lost
     * before the reply. An owner whose process has died is there until a signal passes it over.
     */
    public Map<String, List<String>> conditionWaiters() {
        return conditionWaiters;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockInfo that
                && name.equals(that.name)
                && holders.equals(that.holders)
                && Objects.equals(remainingLease, that.remainingLease)
                && listeners.equals(that.listeners)
                && clientsInLine == that.clientsInLine
                && line.equals(that.line)
                && conditionWaiters.equals(that.conditionWaiters);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, holders, remainingLease, listeners, clientsInLine, line, conditionWaiters);
    }

    @Override
    public String toString() {
        return "LockInfo[name=" + name + ", holders=" + holders + ", remainingLease=" + remainingLease + ", listeners="
                + listeners + ", clientsInLine=" + clientsInLine + ", line=" + line + ", conditionWaiters="
                + conditionWaiters + "]";
    }

    /** A request in line. A value. */
    public static final class Request {
        private final String owner;
        private final @Nullable String label;
        private final LockType type;

        private Request(String owner, @Nullable String label, LockType type) {
            this.owner = owner;
            this.label = label;
            this.type = type;
        }

        /**
         * {@return a request with these values, for tests of code that reads it}
         *
         * @param label null if its client has none
         */
        public static Request of(String owner, @Nullable String label, LockType type) {
            return new Request(owner, label, type);
        }

        /** {@return the owner for which its client waits, {@code "<client id>:<owner id>"}} */
        public String owner() {
            return owner;
        }

        /** {@return the {@linkplain HoldfastBuilder#label label} of the owner's client; empty if it has none} */
        public Optional<String> label() {
            return Optional.ofNullable(label);
        }

        /** {@return the type of the lock that it requests} */
        public LockType type() {
            return type;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Request that
                    && owner.equals(that.owner)
                    && Objects.equals(label, that.label)
                    && type == that.type;
        }

        @Override
        public int hashCode() {
            return Objects.hash(owner, label, type);
        }

        @Override
        public String toString() {
            return "Request[owner=" + owner + ", label=" + label + ", type=" + type + "]";
        }
    }
}
