package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Settles;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Homes;
import dev.holdfast.internal.session.Session;
import java.util.List;
import java.util.function.Predicate;

/**
 * Puts locks right that have another home since a failover. The new home may lack what the former one has acknowledged
 * last, because it was not replicated. For each lock:
 *
 * <pre>
 *   the former home has acknowledged     and the new one shows        then
 *   a grant                              nothing, or another client   the hold is lost
 *   a release, and a grant after it      the released hold            the present hold gets the lock: settle.lua
 *     of this client, or a handoff
 *   a release                            the released hold            it is released again, by its tenure
 *   a token                              an older token               the next token is drawn above: raise-token.lua
 * </pre>
 *
 * <p>No lock is acquired again that is free at the new home, since another owner may have had it in between. A lock that
 * still belongs to a released hold was not free there at any moment; so it can pass to the present hold, which was the
 * owner of the lock at the former home.
 *
 * <p>A hold is settled by one command in front of the first command about it that is sent to the new home, whichever
 * that is: a renewal, a release, a handoff, a re-entry. Each hold knows for that the home that {@linkplain
 * HoldInRedis#isConfirmedBy confirmed} it last. Only released tenures are named, so that no command in progress is affected: an
 * owner has one command at a time, and its next tenure is newer. Where no lock can move, nothing is recorded.
 */
public final class Settling {
    private final Session session;
    private final Homes homes;
    private final RecentReleases releases = new RecentReleases();
    private final KnownTokens tokens = new KnownTokens();

    Settling(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
    }

    /** Redis has acknowledged the release of this tenure, or that the lock was handed off from it. */
    void released(LockKey lock, long ownerId, long tenure, long leaseEndNanos) {
        if (homes.canMove()) {
            releases.add(lock, ownerId, tenure, leaseEndNanos, session.now());
        }
    }

    /** Redis has granted this token at this home. */
    void drawn(LockKey lock, long token, Home home) {
        if (homes.canMove()) {
            tokens.drawn(lock, token, home);
        }
    }

    /** {@return what was released of this lock lately} */
    List<RecentReleases.Released> released(LockKey lock) {
        return releases.of(lock, session.now());
    }

    /** {@return what was released of all locks lately} */
    List<RecentReleases.Released> released() {
        return releases.all(session.now());
    }

    /** A command that may draw a token is about to be sent to this home, which is told the last one before if it may lack it. */
    void raiseToken(LockKey lock, Home home) {
        long known = homes.canMove() ? tokens.unknownTo(home, lock) : 0;
        if (known != 0 && lock.kind() instanceof Settles kind) {
            home.send(lock, kind.raiseToken(lock, known, call -> {
                home.noteOutcome(call);
                if (call.outcome() == Call.Outcome.ANSWERED) {
                    tokens.drawn(lock, known, home);
                }
            }));
        }
    }

    /** These locks have moved to other homes. */
    void moved(Predicate<LockKey> moved) {
        tokens.moved(moved);
    }
}
