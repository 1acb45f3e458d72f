package dev.holdfast.cli;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import java.util.List;

/** Which lock of a name a command is to have. */
enum LockChoice {
    /** The plain lock, which needs no option. */
    PLAIN,
    /** The fenced lock. */
    FENCED,
    /** The read lock of the read-write lock. */
    SHARED,
    /** The write lock of the read-write lock. */
    WRITE;

    /** @throws UsageException if options name two of them */
    static LockChoice of(CommandLine line) {
        List<Option> named = List.of(Option.TOKEN, Option.SHARED, Option.WRITE).stream()
                .filter(line::has)
                .toList();
        if (named.size() > 1) {
            throw new UsageException(
                    named.get(0).longName() + " and " + named.get(1).longName()
                            + " exclude each other: a command has one lock, and only a fenced one has a token");
        }
        if (named.isEmpty()) {
            return PLAIN;
        }
        return switch (named.get(0)) {
            case TOKEN -> FENCED;
            case SHARED -> SHARED;
            default -> WRITE;
        };
    }

    /** {@return the lock of this name} */
    DistributedLock in(Holdfast holdfast, String name) {
        return switch (this) {
            case PLAIN -> holdfast.getLock(name);
            case FENCED -> holdfast.getFencedLock(name);
            case SHARED -> holdfast.getReadWriteLock(name).readLock();
            case WRITE -> holdfast.getReadWriteLock(name).writeLock();
        };
    }
}
