package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import java.util.Collections;
import java.util.List;

/**
 * What a call locks: one lock of a client, or several at once.
 *
 * @param client the client
 * @param names the names of the locks
 * @param mode whether calls share them
 * @param fenced whether they are fenced locks
 */
record LockTarget(Holdfast client, List<String> names, LockedMode mode, boolean fenced) implements Target {
    @Override
    public String name() {
        return String.join(",", names);
    }

    boolean isSingle() {
        return names.size() == 1;
    }

    /** {@return the lock, if it is a single one} */
    DistributedLock lock() {
        return lock(names.get(0));
    }

    private DistributedLock lock(String name) {
        return switch (mode) {
            case EXCLUSIVE -> fenced ? client.getFencedLock(name) : client.getLock(name);
            case READ -> client.getReadWriteLock(name).readLock();
            case WRITE -> client.getReadWriteLock(name).writeLock();
        };
    }

    @Override
    public LeaseSource leases() {
        return isSingle()
                ? LeaseSource.of(lock())
                : LeaseSource.of(
                        Holdfast.multiLock(names.stream().map(this::lock).toArray(DistributedLock[]::new)));
    }

    /** One of the locks is one of the other's. Locks of two clients are different ones here. */
    @Override
    public boolean overlaps(Target other) {
        return other instanceof LockTarget that && client == that.client && !Collections.disjoint(names, that.names);
    }

    @Override
    public String whyNotAgain() {
        return "one of the two holds its lock by a lease";
    }

    /** What the transaction writes is seen by others after its commit only. */
    @Override
    public boolean outlastsCommit() {
        return true;
    }
}
