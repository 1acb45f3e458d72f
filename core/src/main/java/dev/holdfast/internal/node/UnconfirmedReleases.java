package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the releases that Redis has not confirmed: each as an event, and the first of an outage in the log. The outage is
 * over when a release is confirmed by the node that has the lock of that first one at that time.
 */
public final class UnconfirmedReleases {
    private static final Logger log = LoggerFactory.getLogger(UnconfirmedReleases.class);

    private final Session session;
    private final Homes homes;

    /** The lock that the log names; null while there is no outage. */
    private final AtomicReference<@Nullable LockKey> logged = new AtomicReference<>();

    public UnconfirmedReleases(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
    }

    /**
     * The release of a hold in full is not confirmed.
     *
     * @param sinceNanos when the hold began
     */
    public void add(LockKey lock, long ownerId, long sinceNanos, RuntimeException why) {
        if (logged.compareAndSet(null, lock)) {
            log.warn("{}. Until a release is confirmed, others are counted, and not logged", why.getMessage());
        }
        session.events().releaseUnconfirmed(lock, ownerId, sinceNanos, why);
    }

    /** This node has confirmed a release. */
    public void confirmed(Home by) {
        LockKey lock = logged.get();
        if (lock != null && homes.of(lock) == by) {
            logged.compareAndSet(lock, null);
        }
    }
}
