package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.MultiLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Makes multi-locks: what the public door to them stands on. */
public final class MultiLocks {
    private MultiLocks() {}

    public static MultiLock of(DistributedLock... locks) {
        List<ClientLock> members = new ArrayList<>();
        for (DistributedLock lock : Objects.requireNonNull(locks, "locks must not be null")) {
            if (!(lock instanceof ClientLock member)) {
                throw new IllegalArgumentException(
                        "the locks of a multi-lock must come from a Holdfast client, had " + lock);
            }
            members.add(member);
        }
        return new ClientMultiLock(members);
    }
}
