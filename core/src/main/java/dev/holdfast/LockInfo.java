package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A lock as Redis saw it at one moment. What cannot be known is empty. A value. */
public final class LockInfo {
    private final String name;
    private final List<LockHolder> holders;
    private final @Nullable Duration remainingLease;
    private final OptionalInt listeners;

    LockInfo(String name, List<LockHolder> holders, @Nullable Duration remainingLease, OptionalInt listeners) {
        this.name = name;
        this.holders = List.copyOf(holders);
        this.remainingLease = remainingLease;
        this.listeners = listeners;
    }

    LockInfo heardBy(OptionalInt clients) {
        return new LockInfo(name, holders, remainingLease, clients);
    }

    /** {@return the lock's name} */
    public String name() {
        return name;
    }

    /** {@return whether anybody holds the lock} */
    public boolean isLocked() {
        return !holders.isEmpty();
    }

    /** {@return who holds the lock, in no particular order; unmodifiable, and empty when nobody does} */
    public List<LockHolder> holders() {
        return holders;
    }

    /** {@return who holds the lock, if exactly one owner does, as of a lock that is held exclusively} */
    public Optional<LockHolder> holder() {
        return holders.size() == 1 ? Optional.of(holders.get(0)) : Optional.empty();
    }

    /** {@return how often the holders have entered the lock, all together; 0 when nobody holds it} */
    public int holdCount() {
        return holders.stream().mapToInt(LockHolder::holdCount).sum();
    }

    /** {@return how long Redis keeps the lock without renewal; empty when nobody holds it or its key has no expiry} */
    public Optional<Duration> remainingLease() {
        return Optional.ofNullable(remainingLease);
    }

    /**
     * {@return how many clients listen for the lock's release: they wait for it, or did a second or two ago; this client may
     * be one of them} Empty when the Redis user may not ask for that, or the connection was lost meanwhile.
     */
    public OptionalInt listeners() {
        return listeners;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockInfo that
                && name.equals(that.name)
                && holders.equals(that.holders)
                && Objects.equals(remainingLease, that.remainingLease)
                && listeners.equals(that.listeners);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, holders, remainingLease, listeners);
    }

    @Override
    public String toString() {
        return "LockInfo[name=" + name + ", holders=" + holders + ", remainingLease=" + remainingLease + ", listeners="
                + listeners + "]";
    }
}
