package dev.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * A lock as Redis saw it at one moment.
 *
 * @param name the lock's name
 * @param owner who holds it, {@code "<client id>:<owner id>"}, or empty when nobody does. A positive owner id is the id of
 *     a thread of that client
 * @param holdCount how often the owner has entered it; 0 when nobody holds it
 * @param remainingLease how long Redis keeps it without renewal; empty when nobody holds it or its key has no expiry
 */
public record LockInfo(String name, Optional<String> owner, int holdCount, Optional<Duration> remainingLease) {
    /** {@return whether anybody holds the lock} */
    public boolean isLocked() {
        return owner.isPresent();
    }
}
