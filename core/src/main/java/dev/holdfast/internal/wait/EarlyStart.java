package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import java.time.Duration;

/**
 * Decides whether the receiver of a handoff may start before the commit is sent, and for how long
 * commits may be held back over a slow link: both follow from the replies to the handoffs before.
 */
final class EarlyStart {
    /** From here on a link is slow: a round trip takes longer than the owners of a hot lock take to go round. */
    private static final long SLOW_NANOS = Duration.ofMillis(1).toNanos();

    /** How many commits are sent in a round trip of a slow link. */
    private static final int COMMITS = 8;

    private final Session session;
    private final Home home;

    EarlyStart(Session session, Home home) {
        this.session = session;
        this.home = home;
    }

    void noteAnswered(Call handoff) {
        home.handoffReplies().note(handoff, session.now());
    }

    /** {@return whether a receiver may start early, as far as the connection is concerned} */
    boolean isPossible() {
        return home.handoffReplies().includeEpoch(home.epochNumber());
    }

    /**
     * {@return whether the receiver may start early, as far as the connection and the rest of the lease are concerned}
     * A grant must not run out merely because its reply takes as long as a reply may take; and a hold with a token
     * receives the token with the reply.
     *
     * @param to the receiver's lock, which may be of another kind
     */
    boolean isAllowed(Hold from, LockKey to) {
        return to.kind() instanceof HandsOff kind
                && !kind.awaitsHandoffs()
                && isPossible()
                && leftNanos(from) > session.commandTimeoutNanos();
    }

    /** {@return whether a hold must not wait for the reply to the commit before: it could run out before its own} */
    boolean isLate(Hold hold) {
        return leftNanos(hold) < 2 * session.commandTimeoutNanos();
    }

    private long leftNanos(Hold hold) {
        return hold.lease().validUntilNanos() - session.now();
    }

    /**
     * {@return the time after a commit until the next one is sent without waiting for the reply; 0 if it waits} Where
     * replies come fast, waiting for them costs least.
     */
    long commitPauseNanos() {
        long roundTrip = home.handoffReplies().roundTripNanos();
        return roundTrip < SLOW_NANOS ? 0 : roundTrip / COMMITS;
    }
}
