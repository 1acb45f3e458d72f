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
record LockTarget(Holdfast client, List<String> names, LockedMode mode, boolean fenced) {
    /** {@return the name of the lock, or those of all} */
    String name() {
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

    LeaseSource leases() {
        return isSingle()
                ? LeaseSource.of(lock())
                : LeaseSource.of(
                        Holdfast.multiLock(names.stream().map(this::lock).toArray(DistributedLock[]::new)));
    }

    /** {@return whether one of the locks is one of the other's} Locks of two clients are different ones here. */
    boolean overlaps(LockTarget other) {
        return client == other.client && !Collections.disjoint(names, other.names);
    }
}
