package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.WrongKindException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A lock as it is found in Redis, where its name does not say of which kind it is.
 *
 * @param info its state
 * @param isReadWrite whether it is a read-write lock; false if it is free
 */
record FoundLock(LockInfo info, boolean isReadWrite) {
    static FoundLock of(Holdfast holdfast, String name) {
        try {
            return new FoundLock(holdfast.getLock(name).inspect(), false);
        } catch (WrongKindException e) {
            return new FoundLock(holdfast.getReadWriteLock(name).inspect(), true);
        }
    }

    /** {@return the owners that hold it} */
    Set<String> owners() {
        return info.holders().stream().map(LockHolder::owner).collect(Collectors.toSet());
    }

    /** {@return how the holder has the lock: {@code read}, {@code write} or {@code exclusive}} */
    String mode(LockHolder holder) {
        if (!isReadWrite) {
            return "exclusive";
        }
        return holder.mode() == LockMode.SHARED ? "read" : "write";
    }

    /** {@return how long the holder has the lock without renewal} */
    String lease(LockHolder holder, String withoutEnd) {
        return holder.remainingLease()
                .or(info::remainingLease)
                .map(Durations::seconds)
                .orElse(withoutEnd);
    }
}
