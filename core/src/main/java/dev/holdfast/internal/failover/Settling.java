package dev.holdfast.internal.failover;

import dev.holdfast.internal.kind.DrawsTokens;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Puts locks right that have another home since a failover. The new home may lack what the former one has acknowledged
 * last, because it was not replicated. For each lock:
 *
 * <pre>
 *   the former home has answered         and the new one shows        then
 *   a grant                              nothing, or another client   the hold is lost
 *   a release, and a grant after it      the released hold            the present hold gets the lock: settle.lua
 *     of this client, or a handoff
 *   a release                            the released hold            it is released again, by its tenure
 *   that a hold is gone                  that hold                    it is released, by its tenure, and stays lost
 *   a token                              an older token               the next token is drawn above: raise-token.lua
 * </pre>
 *
 * <p>The sides of a read-write lock are two locks here: a hold of one does not take the place of a released one of the other, and
 * is lost.
 *
 * <p>At each home, a lock is in one of these states ({@code LocalLock.isSettledAt}):
 *
 * <pre>
 *                 a command about the lock is about to be sent there: settle.lua goes in front of it,
 *                 for each hold that the home has not confirmed
 *   UNSETTLED -------------------------------------------------------------------------------> SETTLING
 *    ^  ^   \                                                                                   |    |
 *    |  |    \--- no such hold, and no recent release ------------------> SETTLED <--- executed    |
 *    |  +------------------------ the lock has moved ------------------------+                       |
 *    +------------------- refused, not executed, or no answer: the next command settles it ----------+
 * </pre>
 *
 * <p>While it is SETTLING, further commands do the same: a command is never sent to a home before the holds were. So none
 * finds the lock with an owner that has released it while another owner of this client holds it: the acquire of such an
 * owner would adopt the lock, and the repeated release would free it.
 *
 * <p><b>Exclusion.</b> A lock that is free at the new home is not acquired again, since another owner may have had it in
 * between. One that still belongs to a released tenure was not free there at any moment; so it can pass to the present
 * hold, which was its owner at the former home. That does not depend on when settle.lua is executed:
 *
 * <ul>
 *   <li><i>late, or twice</i>: the released tenure is gone, since the first run has replaced it, or a release has
 *       deleted it. What its owner has done since has a newer tenure, which is not meant: a lane has one command at a
 *       time.
 *   <li><i>after the hold was released or lost here</i>, because the release overtook it on a newer connection, or gave
 *       up: the tenure counts as one that Redis may have, like that of any command without an answer, and is released as
 *       an orphan.
 *   <li><i>not at all</i>, and the command behind it is executed: the hold is lost, which is a false alarm. What was
 *       released is released again all the same.
 *   <li><i>before or after a commit of handoffs</i>: each finds what the other has written, and has no effect if that is
 *       newer. The chain begins at the hold that the first commit at the home is preceded by.
 *   <li><i>beside the grant of another client's release</i>: the line grants the lock to tenures that wait, and those are
 *       newer than every released tenure of their owners. A message of the former home starts no owner ({@code
 *       LineGrant}).
 *   <li><i>where nothing was lost</i>, as in a planned move, or at the former home when the lock comes back: no released
 *       tenure is there. A denied one may be, and is released.
 * </ul>
 *
 * <p>A home may deny a hold that another home has: one that was replaced, and whose answer came late; or the next one, if the
 * former one becomes the master again before it has copied the data of that. Such a hold is lost, and its tenure is released at
 * once, and after each move. It is never replaced by a present hold, as a released one is: the lock was free at the home that
 * denied it, and another client may have had it there after the present hold was granted.
 *
 * <p>Replies of the former home may be read after the move. What they acknowledge is noted before any other command is sent: a
 * release first ({@code Holds.noteReleased}), and then the hold that depends on it, which is not confirmed by the new home, and so
 * is settled and verified there.
 *
 * <p>A release repeated here may find the lock of a hold that another owner of this client has lost since: then it is
 * free, as it was at the former home. What another client has acquired at the former home, and the new one lacks, is lost:
 * that client detects it when it verifies its holds.
 *
 * <p>Only released tenures are named in a command, so that none in progress is affected. A wildcard for the whole client
 * would also mean a tenure that a message is about to grant. Where no lock can move, nothing is recorded, and nothing is
 * sent.
 *
 * <p><b>Of the leases of a lock, and of groups of readers, the newest {@link RecentReleases#MOST_NAMED} releases are named</b>, and
 * not all: each is an owner of its own, while threads recur. The new home shows the lock as it was at the former home when the
 * last command reached the replica, so what it shows is among the next that were released. Two groups are requested in a round
 * trip, and eight handoffs of leases are committed at most: those that are named reach back by some 24 round trips of this client,
 * and by six of a lock that is handed off without a pause. If the replica lagged by more than that, the present hold is lost, as any grant is that was not replicated; the released one that the home shows is released
 * again.
 *
 * <p>So the command stays small, and can be in front of each one while the lock is SETTLING. It cannot be left out while it is
 * unanswered: if its connection breaks at that moment, or the node refuses it for a moment, the command behind it is executed
 * without it.
 *
 * @see "DeniedTenureTest, SettlingTest, FailoverTest, FailoverOrdersTest"
 */
public final class Settling {
    private final Session session;
    private final Homes homes;
    private final boolean canMove;
    private final RecentReleases releases = new RecentReleases();
    private final RecentReleases denied = new RecentReleases();
    private final KnownTokens tokens = new KnownTokens();

    public Settling(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
        this.canMove = homes.canMove();
    }

    /** {@return whether any lock can get another home} */
    public boolean canMove() {
        return canMove;
    }

    /** This home has acknowledged the release of this tenure, or that the lock was handed off from it. */
    public void released(LockKey lock, long ownerId, long tenure, long leaseEndNanos, Home by) {
        if (canMove) {
            releases.add(by, new RecentReleases.Released(lock, ownerId, tenure, leaseEndNanos, session.now()));
        }
    }

    /**
     * A home does not have this tenure, which this client has given up. Another home may have it.
     *
     * @param leaseEndNanos the latest end of the lease that it may have there
     */
    public void denied(LockKey lock, long ownerId, long tenure, long leaseEndNanos) {
        long now = session.now();
        if (canMove && leaseEndNanos - now > 0) {
            denied.add(homes.of(lock), new RecentReleases.Released(lock, ownerId, tenure, leaseEndNanos, now));
        }
    }

    /** Redis has granted this token at this home. */
    public void drawn(LockKey lock, long token, Home home) {
        if (canMove && lock.kind() instanceof DrawsTokens) {
            tokens.drawn(lock, token, home);
        }
    }

    /** {@return the releases of this lock that are named to its new home} */
    public List<RecentReleases.Released> released(LockKey lock) {
        return releases.named(lock, session.now());
    }

    /** {@return the tenures of these locks that are to be released wherever they are: recent releases, and recently denied ones} */
    public List<RecentReleases.Released> givenUp(Predicate<LockKey> locks) {
        long now = session.now();
        return Stream.concat(releases.of(locks, now).stream(), denied.of(locks, now).stream())
                .toList();
    }

    /** A command that may draw a token is about to be sent to this home. If that may lack the last token, it is raised there before. */
    public void raiseToken(LockKey lock, Home home) {
        if (!canMove || !(lock.kind() instanceof DrawsTokens kind)) {
            return;
        }
        long known = tokens.unknownTo(home, lock);
        if (known != 0) {
            home.send(lock, kind.raiseToken(lock, known, call -> {
                home.noteOutcome(call);
                if (call.outcome() == Call.Outcome.ANSWERED) {
                    tokens.drawn(lock, known, home);
                }
            }));
        }
    }

    /** These locks have moved to other homes. */
    public void moved(Predicate<LockKey> moved) {
        tokens.moved(moved);
    }
}
