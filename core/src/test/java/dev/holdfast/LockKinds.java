package dev.holdfast;

import java.util.ArrayList;
import java.util.List;

/** The kinds of lock there are, for tests of what all of them do. */
enum LockKinds {
    PLAIN {
        @Override
        DistributedLock lock(Holdfast client, String name) {
            return client.getLock(name);
        }
    },
    FENCED {
        @Override
        DistributedLock lock(Holdfast client, String name) {
            return client.getFencedLock(name);
        }
    };

    /** {@return the lock of this name} */
    abstract DistributedLock lock(Holdfast client, String name);

    /** {@return the kind that this one is not} */
    LockKinds other() {
        return this == PLAIN ? FENCED : PLAIN;
    }

    /** {@return those of the keys that should be gone when no lock is held: a fenced lock's last token stays} */
    static List<String> withoutTokens(List<String> keys) {
        List<String> others = new ArrayList<>(keys);
        others.removeIf(key -> key.startsWith("redisson_lock_token:"));
        return others;
    }
}
