package dev.holdfast.cli;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which lock of a name a command is to have. */
enum LockChoice implements Protection {
    /** The plain lock, which needs no option. */
    PLAIN,
    /** The fenced lock. */
    FENCED,
    /** The read lock of the read-write lock. */
    SHARED,
    /** The write lock of the read-write lock. */
    WRITE;

    /** @param named the option that names it; empty for the plain lock */
    static LockChoice of(List<Option> named) {
        if (named.isEmpty()) {
            return PLAIN;
        }
        return switch (named.get(0)) {
            case TOKEN -> FENCED;
            case SHARED -> SHARED;
            default -> WRITE;
        };
    }

    @Override
    public LockCall start(Holdfast holdfast, String name, Optional<Duration> wait, Optional<Duration> lease) {
        return LockCall.start(in(holdfast, name), wait, lease);
    }

    private DistributedLock in(Holdfast holdfast, String name) {
        return switch (this) {
            case PLAIN -> holdfast.getLock(name);
            case FENCED -> holdfast.getFencedLock(name);
            case SHARED -> holdfast.getReadWriteLock(name).readLock();
            case WRITE -> holdfast.getReadWriteLock(name).writeLock();
        };
    }

    @Override
    public String noun() {
        return "lock";
    }

    @Override
    public String subject(String name) {
        return "lock '" + name + "'";
    }

    @Override
    public String busy(String name) {
        return subject(name) + " is held by another owner";
    }
}
