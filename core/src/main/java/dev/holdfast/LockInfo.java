package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A lock as Redis saw it at one moment. What cannot be known is empty.
 *
 * @param name the lock's name
 * @param owner who holds it, {@code "<client id>:<owner id>"}, or empty when nobody does. A positive owner id is the id of
 *     a thread of that client
 * @param label what the owner's client is {@linkplain HoldfastBuilder#label called}; empty when it has no label, as
 *     Redisson's never have
 * @param holdCount how often the owner has entered it; 0 when nobody holds it
 * @param remainingLease how long Redis keeps it without renewal; empty when nobody holds it or its key has no expiry
 * @param since when the owner got it, by the clock of the owner's machine, give or take a round trip; empty when nobody holds
 *     it, or a Redisson client does
 * @param listeners how many clients listen for its release: they wait for it, or did a second or two ago; this client may be
 *     one of them. Empty when the Redis user may not ask for that, or the connection was lost meanwhile
 */
public record LockInfo(
        String name,
        Optional<String> owner,
        Optional<String> label,
        int holdCount,
        Optional<Duration> remainingLease,
        Optional<Instant> since,
        OptionalInt listeners) {
    LockInfo heardBy(OptionalInt clients) {
        return new LockInfo(name, owner, label, holdCount, remainingLease, since, clients);
    }

    /** {@return whether anybody holds the lock} */
    public boolean isLocked() {
        return owner.isPresent();
    }
}
