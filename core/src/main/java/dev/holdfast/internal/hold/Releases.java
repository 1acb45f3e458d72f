package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases holds on behalf of their owners. A blocking release blocks its caller until Redis has replied, or, if the
 * client is configured so, only until the level is no longer the owner's.
 */
public final class Releases {
    private static final Logger log = LoggerFactory.getLogger(Releases.class);

    private final Session session;
    private final LocalLocks locks;

    public Releases(Session session, LocalLocks locks) {
        this.session = session;
        this.locks = locks;
    }

    /** Releases the level that the owner entered last. */
    public CompletableFuture<@Nullable Void> release(LockKey lock, long ownerId) {
        Release release = submit(lock, ownerId);
        if (release == null) {
            return CompletableFuture.failedFuture(session.exceptions().notHeld(lock, ownerId));
        }
        return release.outcome();
    }

    /**
     * Releases the level that the owner entered last. The caller blocks at least until the level is no longer the
     * owner's: then it does not count as held, and no interrupt for the hold comes later.
     */
    public void unlock(LockKey lock, long ownerId) {
        Release release = submit(lock, ownerId);
        if (release == null) {
            throw session.exceptions().notHeld(lock, ownerId);
        }
        if (!release.hasBegun()) {
            Blocking.forResult(release.begun());
        }
        finish(release.outcome());
    }

    private @Nullable Release submit(LockKey lock, long ownerId) {
        OwnerLane lane = locks.lane(lock, ownerId);
        Release release = lane == null ? null : Release.ofNewestLevel(lane);
        return lane != null && release != null && lane.submit(release) ? release : null;
    }

    /** Returns when the caller may continue; throws the failure, if the release has failed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // logging does not fail
    public void finish(CompletableFuture<@Nullable Void> release) {
        if (session.awaitsReleases() || release.isDone()) {
            Blocking.forResult(release);
        } else {
            release.whenComplete((released, failure) -> note(failure));
        }
    }

    /** A lost lease and an unconfirmed release are reported, and logged, where they are found. */
    private static void note(@Nullable Throwable failure) {
        boolean reported = failure instanceof LeaseLostException || failure instanceof LockException;
        if (failure != null && !reported) {
            log.warn("A release that is not awaited failed: {}", failure.getMessage());
        }
    }
}
