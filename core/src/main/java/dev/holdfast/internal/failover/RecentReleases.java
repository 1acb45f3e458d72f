package dev.holdfast.internal.failover;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.OwnerIds;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tenures whose release Redis has acknowledged within the last 30 s, or, in an object of their own, those that it has denied:
 * for each owner of a lock the newest one, since an owner that has given up a tenure uses no older one. At most {@link #MOST_KEPT}
 * for each home, so that those of a home which has failed are still there when another one takes its place, whatever is released
 * at the others; and as many of handles and groups of readers. These are a new owner each time, so they would soon displace all
 * others, of which a tenure that is missing here could be adopted by the next acquire of its owner.
 */
public final class RecentReleases {
    static final int MOST_KEPT = 512;

    /** Of the handles and groups of one lock, in one command: less than 4 KB. */
    static final int MOST_NAMED = 48;

    /** Longer than a failover takes, and than a replica usually lags behind. */
    static final Duration KEPT = Duration.ofSeconds(30);

    private record Owner(LockKey lock, long id) {
        // Written out: what a record has is linked by method handles, which takes the first release of a process
        // milliseconds.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Owner that && id == that.id && lock.equals(that.lock);
        }

        @Override
        public int hashCode() {
            return 31 * lock.hashCode() + Long.hashCode(id);
        }
    }

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

    // Of each home the oldest release first. Guarded by this.

    private final Map<Home, Map<Owner, Released>> ofRecurring = new HashMap<>();

    /** Those of handles and groups. */
    private final Map<Home, Map<Owner, Released>> ofOthers = new HashMap<>();

    /** This home has acknowledged a release, or denied a tenure. */
    synchronized void add(Home by, Released latest) {
        Owner owner = new Owner(latest.lock, latest.ownerId);
        Map<Owner, Released> here =
                (OwnerIds.recurs(owner.id) ? ofRecurring : ofOthers).computeIfAbsent(by, home -> new LinkedHashMap<>());
        Released before = here.remove(owner);
        here.put(owner, before != null && before.tenure > latest.tenure ? before : latest);
        if (here.size() > MOST_KEPT) {
            here.remove(here.keySet().iterator().next());
        }
    }

    /** {@return the releases of this lock that one command can name; of handles and groups the newest} */
    synchronized List<Released> named(LockKey lock, long nowNanos) {
        List<Released> others = of(ofOthers, lock::equals, nowNanos)
                .sorted((one, other) -> Long.signum(one.sinceNanos() - other.sinceNanos()))
                .toList();
        Stream<Released> newest = others.stream().skip(Math.max(0, others.size() - MOST_NAMED));
        return Stream.concat(of(ofRecurring, lock::equals, nowNanos), newest).toList();
    }

    /** {@return the releases of these locks} */
    synchronized List<Released> of(Predicate<LockKey> locks, long nowNanos) {
        return Stream.concat(of(ofRecurring, locks, nowNanos), of(ofOthers, locks, nowNanos))
                .toList();
    }

    private static Stream<Released> of(
            Map<Home, Map<Owner, Released>> releases, Predicate<LockKey> locks, long nowNanos) {
        releases.values()
                .forEach(here -> here.values().removeIf(each -> nowNanos - each.sinceNanos() > KEPT.toNanos()));
        releases.values().removeIf(Map::isEmpty);
        return releases.values().stream()
                .flatMap(here -> here.values().stream())
                .filter(each -> locks.test(each.lock()));
    }
}
