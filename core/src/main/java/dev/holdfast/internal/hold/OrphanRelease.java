package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases a tenure that no caller wants, if Redis has it: an acquire whose reply was lost or whose caller had given
 * up, a release that had no reply, or a lost hold, if a command may have extended its lease, or another home of the lock
 * may have it. Waits for a connection for as long as it takes. If Redis refuses the release, or does not execute it, it
 * is retried until the lease that Redis may have has ended.
 *
 * @see "RefusedReleaseTest, LateGrantTest"
 */
public final class OrphanRelease extends LaneCommand {
    private static final Logger log = LoggerFactory.getLogger(OrphanRelease.class);

    /** The pause before a refused release is retried; doubles with each further refusal, up to the command timeout. */
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    /** 0 if there was nothing to release, and the command only waits until it runs. */
    private final long tenure;

    /** The latest end of the lease that Redis may have for the tenure. */
    private final long leaseEndNanos;

    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Whether the owner was to be granted the lock with a tenure that this ends. */
    private boolean endsPlace;

    /** Whether the release is retried if it is refused or has no reply. */
    private final boolean insists;

    /** The release of a tenure that Redis may have. */
    public OrphanRelease(OwnerLane lane, long tenure, long leaseEndNanos) {
        this(lane, tenure, leaseEndNanos, true);
    }

    private OrphanRelease(OwnerLane lane, long tenure, long leaseEndNanos, boolean insists) {
        super(lane);
        this.tenure = tenure;
        this.leaseEndNanos = leaseEndNanos;
        this.insists = insists;
    }

    /** Releases a hold that Redis may have and no caller wants. */
    public static void begin(Hold unwanted) {
        OwnerLane known = unwanted.lane();
        if (unwanted.shared() != null) {
            known.noteOrphan(unwanted);
            return;
        }
        known.registry()
                .locks()
                .submit(
                        known.lock(),
                        known.ownerId(),
                        lane -> new OrphanRelease(lane, unwanted.tenure(), unwanted.latestEndNanos()));
    }

    /**
     * Releases a tenure that was in the line for a lock, or was granted the lock from there, and that no caller wants.
     *
     * @param kind the lock, as the kind that its owner uses
     */
    public static void begin(LocalLock lock, LockKey kind, long ownerId, long unwanted) {
        Session session = lock.holds.session;
        long leaseEndNanos = session.now() + session.watchdogTimeout().toNanos();
        lock.holds.locks.submit(kind, ownerId, lane -> new OrphanRelease(lane, unwanted, leaseEndNanos));
    }

    /**
     * Redis has reported that it has this hold, perhaps with a longer lease than before: if it was lost here in between,
     * it is an orphan there, and is released.
     */
    public static void beginIfLost(Hold hold) {
        if (hold.loss() != null && !hold.isLeftToRunOut()) {
            begin(hold);
        }
    }

    /**
     * {@return the release of a tenure that Redis should not have: a refusal or a missing reply is no news, and ends
     * it}
     */
    public static OrphanRelease once(OwnerLane lane, long tenure, long leaseEndNanos) {
        return new OrphanRelease(lane, tenure, leaseEndNanos, false);
    }

    /** {@return completes when this attempt at the release has ended, whatever its outcome} */
    public CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    /** Completes {@link #ended()}: this command has nothing more to do. */
    void skip() {
        ended.complete(null);
    }

    @Override
    protected void run() {
        if (tenure == 0) {
            done();
            skip();
            return;
        }
        endsPlace |= lane().local().releasing(lane().ownerId(), tenure);
        sendRelease(claim(tenure, 0, 0));
    }

    @Override
    protected void returned(Call call) {
        home().noteOutcome(call);
        notePublication(Publication.of(call));
    }

    @Override
    protected Answer read(Call call) {
        return Answer.of(call, tenure);
    }

    @Override
    protected void held(Call call, Answer answer) {
        lane().clearOrphansUpTo(tenure);
        holds().settling().released(lock(), lane().ownerId(), tenure, leaseEndNanos, sentTo());
        repeatIfMoved();
        session().events().orphanReleased(lock(), lane().ownerId());
        end();
    }

    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        lane().clearOrphansUpTo(tenure);
        if (insists) {
            holds().settling().denied(lock(), lane().ownerId(), tenure, leaseEndNanos);
            repeatIfMoved();
        }
        log.debug("Nothing was left of tenure {} of {}", tenure, lane());
        end();
    }

    @Override
    protected void refused(Call call, Answer answer) {
        if (insists) {
            retryRefused(lane(), tenure, leaseEndNanos, call);
        }
        end();
    }

    @Override
    protected void unknown(Call call) {
        if (insists) {
            lane().deferOrphan(tenure, leaseEndNanos);
            home().connectionWait().await(lock(), lane()::resumeOrphan);
        }
        end();
    }

    @Override
    protected void ineffective(Call call) {
        if (call.outcome() == Call.Outcome.NOT_SENT) {
            unknown(call);
        } else {
            refused(call, read(call));
        }
    }

    private void end() {
        done();
        skip();
        if (endsPlace) {
            lane().local().wake();
        }
    }

    /** The lock may have moved since this was sent: then it is released again at its present home. */
    private void repeatIfMoved() {
        if (home() != sentTo()) {
            lane().noteOrphan(tenure, leaseEndNanos);
        }
    }

    /**
     * Redis refused to release this tenure, or did not execute the release: that is retried after a pause, and for the
     * last time when the lease has ended. A lock that has moved is nothing to warn of.
     */
    static void retryRefused(OwnerLane lane, long tenure, long leaseEndNanos, Call refused) {
        Session session = lane.registry().session();
        long now = session.now();
        long leftNanos = leaseEndNanos - now;
        int before = lane.orphanRefused(tenure, leaseEndNanos, leftNanos <= 0);
        if (leftNanos <= 0) {
            log.warn(
                    "Tenure {} of {} could not be released, and its lease has run out: {}",
                    tenure,
                    lane,
                    refused.error());
            return;
        }
        if (before == 0 && !isMoved(refused.cause())) {
            log.warn(
                    "Tenure {} of {} is not released yet; the release is retried until its lease has run out: {}",
                    tenure,
                    lane,
                    refused.error());
        }
        long pauseNanos = OrphanedTenure.pauseNanos(FIRST_PAUSE_NANOS, before, session.commandTimeoutNanos());
        session.deadlines().schedule(Deadline.of(lane::resumeOrphan), now + Math.min(pauseNanos, leftNanos));
    }
}
