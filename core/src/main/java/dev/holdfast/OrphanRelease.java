package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases a tenure that nobody wants, if Redis has it: an acquire whose answer was lost or whose caller had given up, a
 * release that had no answer, or a lost hold that something may have kept. Waits for a connection as long as it takes. Where
 * Redis refuses it, or does not execute it, it is tried again until the lease that Redis may have has ended.
 */
final class OrphanRelease extends LaneCommand {
    private static final Logger log = LoggerFactory.getLogger(OrphanRelease.class);

    /** 0 when there was nothing to settle, and the step only waits its turn. */
    private final long tenure;

    /** The latest end of the lease that Redis may have for it. */
    private final long leaseEndNanos;

    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Whether Redis, if it refuses, is asked again. */
    private final boolean insists;

    OrphanRelease(OwnerLane lane, long tenure, long leaseEndNanos) {
        this(lane, tenure, leaseEndNanos, true);
    }

    private OrphanRelease(OwnerLane lane, long tenure, long leaseEndNanos, boolean insists) {
        super(lane);
        this.tenure = tenure;
        this.leaseEndNanos = leaseEndNanos;
        this.insists = insists;
    }

    /** {@return one of a tenure that Redis should not have, so that a refusal or no answer is no news and the end of it} */
    static OrphanRelease once(OwnerLane lane, long tenure, long leaseEndNanos) {
        return new OrphanRelease(lane, tenure, leaseEndNanos, false);
    }

    /** {@return completes when there is nothing left to settle, or no connection to do it by} */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    /** There is nothing left to settle. */
    void skip() {
        ended.complete(null);
    }

    @Override
    void run() {
        if (tenure == 0) {
            done();
            skip();
            return;
        }
        engine().send(lock().kind().release(lock(), lane().ownerField(), tenure, 0, this));
    }

    @Override
    public void completed(Call call) {
        engine().noteOutcome(call);
        switch (LockAnswer.of(call, tenure).kind()) {
            case HELD -> {
                lane().clearOrphansUpTo(tenure);
                engine().notices().orphanReleased(lane());
            }
            case GONE, BUSY, LATE -> {
                lane().clearOrphansUpTo(tenure);
                log.debug("Nothing was left of tenure {} of {}", tenure, lane());
            }
            case REFUSED, NOT_EXECUTED -> {
                if (insists) {
                    lane().releaseRefused(tenure, leaseEndNanos, call.error());
                }
            }
            case UNKNOWN, NOT_SENT -> {
                if (insists) {
                    lane().releaseOrphanLater(tenure, leaseEndNanos);
                }
            }
        }
        done();
        skip();
    }

    @Override
    void giveUp(Throwable cause) {
        throw new IllegalStateException("a settle does not wait for the link", cause);
    }
}
