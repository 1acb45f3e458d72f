package dev.holdfast.cli.found;

import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.WrongKindException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A lock as it is found in Redis, where its name does not say of which kind it is.
 *
 * @param info its state
 * @param isReadWrite whether it is a read-write lock; false if it is free
 */
public record FoundLock(LockInfo info, boolean isReadWrite) {
    public static FoundLock of(Holdfast holdfast, String name) {
        try {
            return new FoundLock(holdfast.getLock(name).inspect(), false);
        } catch (WrongKindException e) {
            return new FoundLock(holdfast.getReadWriteLock(name).inspect(), true);
        }
    }

    /** {@return the owners that hold it} */
    public Set<String> owners() {
        return info.holders().stream().map(LockHolder::owner).collect(Collectors.toSet());
    }

    /** {@return how the holder has the lock: {@code read}, {@code write} or {@code exclusive}} */
    public String mode(LockHolder holder) {
        if (!isReadWrite) {
            return "exclusive";
        }
        return holder.mode() == LockMode.SHARED ? "read" : "write";
    }

    /** {@return how long the holder has the lock without renewal; empty if that has no end} */
    public Optional<Duration> lease(LockHolder holder) {
        return holder.remainingLease().or(info::remainingLease);
    }

    /** {@return whether an owner held the lock, of whichever kind it is, and has lost it} */
    public static boolean forceOpen(Holdfast holdfast, String name) {
        try {
            return holdfast.getLock(name).forceUnlock();
        } catch (WrongKindException e) {
            return holdfast.getReadWriteLock(name).forceUnlock();
        }
    }
}
