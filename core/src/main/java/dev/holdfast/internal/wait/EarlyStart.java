package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Session;

/** Decides whether the receiver of a handoff may start before the reply to it. */
final class EarlyStart {
    private final Session session;
    private final Home home;

    /** The epoch in which a handoff was last answered: in that epoch, the server knows the script. */
    private volatile long answeredEpoch;

    EarlyStart(Session session, Home home) {
        this.session = session;
        this.home = home;
    }

    void noteAnswered(Call handoff) {
        answeredEpoch = handoff.epochNumber();
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
                && answeredEpoch != 0
                && answeredEpoch == home.epochNumber()
                && from.lease().validUntilNanos() - session.now() > session.commandTimeoutNanos();
    }
}
