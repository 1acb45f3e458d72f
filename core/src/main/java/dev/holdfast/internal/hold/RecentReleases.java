package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The releases that Redis has acknowledged lately: for each owner of a lock the newest tenure, since an owner that has
 * released a tenure uses no older one. At most {@link #MOST_KEPT} of them.
 */
final class RecentReleases {
    static final int MOST_KEPT = 512;

    /** Longer than a failover takes, and than a replica usually lags behind. */
    private static final Duration KEPT = Duration.ofSeconds(30);

    private record Owner(LockKey lock, long ownerId) {}

    /** @param leaseEndNanos the latest end of the lease that Redis may have for the tenure */
    record Released(LockKey lock, long ownerId, long tenure, long leaseEndNanos, long sinceNanos) {
        Claim claim(Session session) {
            return new Claim(lock, session.owners().field(ownerId), tenure, 0, 0);
        }
    }

    /** The oldest release first. Guarded by this. */
    private final Map<Owner, Released> releases = new LinkedHashMap<>();

    synchronized void add(LockKey lock, long ownerId, long tenure, long leaseEndNanos, long nowNanos) {
        Owner owner = new Owner(lock, ownerId);
        Released before = releases.remove(owner);
        boolean late = before != null && before.tenure() > tenure;
        releases.put(owner, late ? before : new Released(lock, ownerId, tenure, leaseEndNanos, nowNanos));
        if (releases.size() > MOST_KEPT) {
            releases.remove(releases.keySet().iterator().next());
        }
    }

    synchronized List<Released> all(long nowNanos) {
        releases.values().removeIf(each -> nowNanos - each.sinceNanos() > KEPT.toNanos());
        return new ArrayList<>(releases.values());
    }

    /** {@return the releases of this lock, the newest first} */
    List<Released> of(LockKey lock, long nowNanos) {
        Deque<Released> found = new ArrayDeque<>();
        for (Released each : all(nowNanos)) {
            if (each.lock().equals(lock)) {
                found.addFirst(each);
            }
        }
        return List.copyOf(found);
    }
}
