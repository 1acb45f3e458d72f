package dev.holdfast;

import java.util.ArrayList;
import java.util.List;

/** The kinds of lock, for tests of their common behaviour. */
public enum LockKinds implements Locks {
    PLAIN {
        @Override
        public DistributedLock lock(Holdfast client, String name) {
            return client.getLock(name);
        }
    },
    FENCED {
        @Override
        public DistributedLock lock(Holdfast client, String name) {
            return client.getFencedLock(name);
        }
    },
    WRITE {
        @Override
        public DistributedLock lock(Holdfast client, String name) {
            return client.getReadWriteLock(name).writeLock();
        }
    };

    /** {@return the other one of the plain and the fenced lock} */
    public LockKinds other() {
        return this == PLAIN ? FENCED : PLAIN;
    }

    /**
     * {@return the given keys that should be gone when no lock is held and no latch has a count: a fenced lock's last token stays,
     * and the record of a latch for ten minutes}
     */
    public static List<String> withoutTokens(List<String> keys) {
        List<String> others = new ArrayList<>(keys);
        others.removeIf(key -> key.startsWith("redisson_lock_token:") || key.startsWith("holdfast_latch:"));
        return others;
    }
}
