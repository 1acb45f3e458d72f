package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One owner of a lock, by the state of Redis at one moment. A detail that cannot be known is empty. A value. */
public final class LockHolder {
    private final String owner;
    private final @Nullable String label;
    private final int holdCount;
    private final @Nullable Instant since;
    private final LockMode mode;
    private final @Nullable Duration remainingLease;
    private final OptionalLong token;

    private LockHolder(
            String owner,
            @Nullable String label,
            int holdCount,
            @Nullable Instant since,
            LockMode mode,
            @Nullable Duration remainingLease,
            OptionalLong token) {
        this.owner = owner;
        this.label = label;
        this.holdCount = holdCount;
        this.since = since;
        this.mode = mode;
        this.remainingLease = remainingLease;
        this.token = token;
    }

    /**
     * {@return a holder with these values, no lease of its own and no token, for tests of code that reads it}
     *
     * @param label null if its client has none
     * @param since null if it is not known
     */
    public static LockHolder of(
            String owner, @Nullable String label, int holdCount, @Nullable Instant since, LockMode mode) {
        return new LockHolder(owner, label, holdCount, since, mode, null, OptionalLong.empty());
    }

    /** {@return this holder with another lease of its own, or none if that is null} */
    public LockHolder withRemainingLease(@Nullable Duration lease) {
        return new LockHolder(owner, label, holdCount, since, mode, lease, token);
    }

    /** {@return this holder with another token} */
    public LockHolder withToken(OptionalLong ofHold) {
        return new LockHolder(owner, label, holdCount, since, mode, remainingLease, ofHold);
    }

    /**
     * {@return the owner, {@code "<client id>:<owner id>"}; a positive owner id is the id of a thread of that client}
     */
    public String owner() {
        return owner;
    }

    /**
     * {@return the {@linkplain HoldfastBuilder#label label} of the owner's client; empty when it has none, as is always
     * the case for a Redisson client}
     */
    public Optional<String> label() {
        return Optional.ofNullable(label);
    }

    /** {@return how often the owner has entered the lock; at least 1} */
    public int holdCount() {
        return holdCount;
    }

    /**
     * {@return when the owner acquired the lock, by the clock of the owner's machine, accurate to a round trip; empty
     * when a Redisson client holds it} If the release of another client granted it the lock, this is the time of the
     * attempt that was granted, which was made while it waited.
     */
    public Optional<Instant> since() {
        return Optional.ofNullable(since);
    }

    /** {@return how the owner shares the lock with others} */
    public LockMode mode() {
        return mode;
    }

    /**
     * {@return how long Redis keeps the lock for this owner without renewal, if its owners have leases of their own, as those
     * that read have} Otherwise it is empty, and {@link LockInfo#remainingLease()} is the lease of the one owner.
     */
    public Optional<Duration> remainingLease() {
        return Optional.ofNullable(remainingLease);
    }

    /** {@return the {@linkplain Lease#token() fencing token} of the hold; empty unless the lock is fenced, and of a Redisson client} */
    public OptionalLong token() {
        return token;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockHolder that
                && owner.equals(that.owner)
                && Objects.equals(label, that.label)
                && holdCount == that.holdCount
                && Objects.equals(since, that.since)
                && mode == that.mode
                && Objects.equals(remainingLease, that.remainingLease)
                && token.equals(that.token);
    }

    @Override
    public int hashCode() {
        return Objects.hash(owner, label, holdCount, since, mode, remainingLease, token);
    }

    @Override
    public String toString() {
        return "LockHolder[owner=" + owner + ", label=" + label + ", holdCount=" + holdCount + ", since=" + since
                + ", mode=" + mode + ", remainingLease=" + remainingLease + ", token=" + token + "]";
    }
}
