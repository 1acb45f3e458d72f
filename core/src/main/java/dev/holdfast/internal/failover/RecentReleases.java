package dev.holdfast.internal.failover;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The tenures whose release Redis has acknowledged within the last 30 s, or, in an object of their own, those that it has denied:
 * for each owner of a lock the newest one, since an owner that has given up a tenure uses no older one. At most {@link #MOST_KEPT}
 * for each home, so that those of a home which has failed are still there when another one takes its place, whatever is released
 * at the others.
 */
public final class RecentReleases {
    static final int MOST_KEPT = 512;

    /** Of the groups of readers of one lock, in one command: less than 4 KB. */
    static final int MOST_GROUPS = 48;

    /** Longer than a failover takes, and than a replica usually lags behind. */
    static final Duration KEPT = Duration.ofSeconds(30);

    private record Owner(LockKey lock, long ownerId) {}

    /**
     * A tenure that was released.
     *
     * @param leaseEndNanos the latest end of the lease that Redis may have for the tenure
     */
    public record Released(LockKey lock, long ownerId, long tenure, long leaseEndNanos, long sinceNanos) {
        public Claim claim(Session session) {
            return new Claim(lock, session.owners().field(ownerId), tenure, 0, 0);
        }
    }

    /** Of each home the oldest release first. Guarded by this. */
    private final Map<Home, Map<Owner, Released>> releases = new HashMap<>();

    /** This home has acknowledged a release, or denied a tenure. */
    synchronized void add(Home by, Released latest) {
        Map<Owner, Released> here = releases.computeIfAbsent(by, home -> new LinkedHashMap<>());
        Owner owner = new Owner(latest.lock(), latest.ownerId());
        Released before = here.remove(owner);
        here.put(owner, before != null && before.tenure() > latest.tenure() ? before : latest);
        if (here.size() > MOST_KEPT) {
            here.remove(here.keySet().iterator().next());
        }
    }

    /** {@return the releases of this lock; of one that owners share, whose groups are a new owner each, the newest} */
    List<Released> newestOf(LockKey lock, long nowNanos) {
        List<Released> all = of(lock::equals, nowNanos);
        if (!lock.kind().admitsSeveral() || all.size() <= MOST_GROUPS) {
            return all;
        }
        return all.stream()
                .sorted((one, other) -> Long.signum(one.sinceNanos() - other.sinceNanos()))
                .skip(all.size() - MOST_GROUPS)
                .toList();
    }

    /** {@return the releases of these locks} */
    synchronized List<Released> of(Predicate<LockKey> locks, long nowNanos) {
        releases.values()
                .forEach(here -> here.values().removeIf(each -> nowNanos - each.sinceNanos() > KEPT.toNanos()));
        releases.values().removeIf(Map::isEmpty);
        return releases.values().stream()
                .flatMap(here -> here.values().stream())
                .filter(each -> locks.test(each.lock()))
                .toList();
    }
}
