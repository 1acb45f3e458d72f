package dev.holdfast.internal.wait;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Grantee;
import dev.holdfast.internal.hold.GrantingCommand;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Hands the lock off from a hold whose last level is released to the next waiter of the same client, the
 * <em>receiver</em>, in place of a release, a message and an attempt. It is a command of the receiver, in whose lane it
 * is the one command that runs.
 *
 * <pre>
 *              the conditions below hold              a commit that covers it: HELD
 *   SENDING ------------------------------> STARTED ---------------------------------> ended
 *      |                                       |   \-- BUSY, GONE, LATE --> ended: the receiver's lease is lost
 *      |                                       |    \- no reply, or refused: settled with its chain
 *      |                                       |       in the next epoch
 *      | otherwise: a command of its own
 *      +---> AWAITED -- HELD --------------------------------------------------> ended: now the receiver starts
 *                    \- any other reply, or the hold was found lost: the tenures that Redis may have, of the two,
 *                       are released; the waiter is still in the queue
 * </pre>
 *
 * <p>A HELD that is {@linkplain dev.holdfast.internal.redis.Silence doubtful} is confirmed by others, or the handoff is sent
 * again. It may have taken place before, so that any reply but HELD shows as little as none.
 *
 * <p><b>The receiver starts at once</b>, and a {@link HandoffCommit} follows, if a handoff has been answered in
 * this epoch, none before it in the {@link HandoffChain} has failed, and the rest of the lease that is handed off is
 * longer than a reply may take. (The receiver of a fenced lock never starts early, since its token is in the reply.) One
 * commit may cover many handoffs. Exclusion is no weaker by that than it is between two renewals:
 *
 * <ul>
 *   <li>All commands about the lock run in the order in which this client sent them, since they are sent on one
 *       connection. Before any other command about the lock, a commit is sent for all handoffs that have begun. In
 *       Redis, a hold of the chain is replaced by the last one atomically. So as long as the hold that the chain begins
 *       with has the lock, each commit takes place when it is executed, and until then that hold keeps the lock there.
 *   <li>A commit that never arrives leaves the lock with an earlier hold of the chain, until the lease of that hold has
 *       run out. A hold that is valid here without a reply is valid no longer than that: an unconfirmed lease ends no
 *       later than the lease it was handed off from. It does not matter when the commit is sent, or whether it is.
 *   <li>So the receiver is wrong about its hold only if the previous owner was wrong about its own: the key was
 *       deleted, forced open, or lost with the server's data while the hold was believed valid. That can happen to
 *       every holder between two renewals, and is known after a third of the lease. Here it is known after two round
 *       trips, when the negative reply to the commit arrives, which waits at most for the reply to the one before.
 *   <li>A caller gets the outcome of its release from the reply to the commit that covers it: success if Redis had the
 *       hold that the chain begins with, for then it was its owner until the release; the loss if not.
 *   <li>If Redis refuses a commit with an error, the lock still belongs to an earlier owner there. An acquire of that
 *       owner right behind the commit would adopt it; so that acquire waits for the reply.
 *   <li>A node that was silent may have been replaced, and confirm what the new master knows nothing of: there, the lock
 *       is that of the hold that was handed off, until the lease of that ends. A receiver that has started is valid no
 *       longer than that before the reply, and not after it either, until others have confirmed that node.
 *   <li>A new connection begins with one commit that gives the lock to the last owner of the chain, whichever hold of
 *       the chain has it. No later command about the lock is sent on that connection before it.
 * </ul>
 *
 * <p>A waiter stays in the queue until the lock is its own. So one that leaves before takes nothing with it: the hold
 * that was handed off to it is unwanted, and is released like any other unwanted grant.
 *
 * @see "HandoffChainTest, HandoffOrdersTest, HandoffLossTest"
 */
public final class Handoff extends GrantingCommand implements HandoffChain.Link {
    /** How many waiters are checked for being able to receive the lock now: nearly always the first one is. */
    private static final int MOST_CHECKED = 8;

    private final WaitQueue queue;
    private final Release release;
    private final Hold from;
    private final Grantee to;
    private final Hold hold;
    private final boolean early;

    /** When the receiver started; written before it becomes part of the chain. */
    private long startedNanos;

    /** Whether a node has confirmed an earlier run, which may have been replaced as the master before. */
    private boolean executedBefore;

    /** When Redis was sent it. Guarded by the queue. */
    private long committedNanos;

    /**
     * Creates a handoff from one hold to the owner of an acquisition.
     *
     * @param lane the receiver's
     * @param early whether the receiver may start before the reply
     */
    public Handoff(OwnerLane lane, WaitQueue queue, Release release, Hold from, Grantee to, boolean early) {
        super(lane);
        this.queue = queue;
        this.release = release;
        this.from = from;
        this.to = to;
        this.hold = new Hold(lane, session().nextTenure(), session().now(), to, true);
        this.hold.continues(from);
        this.early = early;
    }

    /**
     * {@return a handoff to the first waiter that can receive the lock now; null if there is none} It has been reserved
     * as the command that runs in the receiver's lane. Skips the waiter whose attempt is in flight: its own reply is
     * about to report the lock busy, and it comes next. Called under the queue's monitor.
     *
     * @param mayStartEarly whether the chain of handoffs allows that the receiver starts before the reply
     */
    static @Nullable Handoff toFirst(
            QueuedWaiters waiters, WaitQueue queue, Release release, Hold from, boolean mayStartEarly) {
        Iterator<LockWaiter> firsts = waiters.firsts();
        for (int checked = 0; checked < MOST_CHECKED && firsts.hasNext(); checked++) {
            LockWaiter to = firsts.next();
            OwnerLane lane = to.lane();
            if (!queue.head().isTrying(to)
                    && to.ownerId() != from.ownerId()
                    && lane.lock().kind() instanceof HandsOff) {
                boolean early = mayStartEarly && queue.earlyStart().isAllowed(from, lane.lock());
                Handoff handoff = new Handoff(lane, queue, release, from, to, early);
                if (lane.reserve(handoff)) {
                    return handoff;
                }
            }
        }
        return null;
    }

    /** {@return the hold that is handed off} */
    Hold from() {
        return from;
    }

    /** {@return the hold of the receiver} */
    Hold hold() {
        return hold;
    }

    /** {@return the receiver's claim, for as long as this lease} */
    Claim claim(long leaseMillis) {
        return claim(hold.tenure(), 1, leaseMillis);
    }

    /**
     * {@return the lease that a commit requests, more than 0} A watched lease starts at its full length, as it does with each renewal.
     * Of an explicit one it is the rest: the lease was to end when that has passed.
     */
    long leaseNanosLeft() {
        LeaseRequest lease = to.lease();
        long leftNanos = startedNanos + lease.nanos() - session().now();
        return lease.watched() ? lease.nanos() : Math.max(1, leftNanos);
    }

    @Override
    protected void run() {
        if (executedBefore || !early || !startEarly()) {
            hold.noteSent();
            if (executedBefore) {
                hold.requestsUntil(session().now() + to.lease().nanos());
            }
            send(HandsOff.of(lock())
                    .handoff(from.claim(), claim(to.lease().millis()), this)
                    .replicated());
        }
    }

    // --- The receiver starts at once.

    /** {@return whether the receiver starts} */
    private boolean startEarly() {
        startedNanos = session().now();
        hold.noteUnsent();
        hold.attachLease(holds().keepUnconfirmed(hold, startedNanos, to.lease(), from));
        boolean starts = hold.isValid() && queue.cohort().unanswered().extend(this);
        if (starts) {
            release.leave();
            deliver();
        } else if (!hold.lease().end()) {
            // Lost already. No owner starts with this hold, so no unlock will follow: it must not wait for one.
            hold.leaveNewest();
        }
        return starts;
    }

    /** It becomes part of the chain, which decides the outcome of the release from now on. Under the queue's monitor. */
    void joined() {
        release.handedOff();
    }

    /** No reply can be expected on this connection. */
    void unanswered(Call call) {
        release.unanswered(call);
    }

    /** Redis has found that the lock was not its owner's. */
    void refuted(LossReason reason) {
        hold.lose(reason);
        release.handoffRefuted(reason);
    }

    @Override
    public long fromOwnerId() {
        return from.lane().ownerId();
    }

    @Override
    public boolean isUndecided() {
        return !outcome().isDone();
    }

    @Override
    public void committed(long nowNanos) {
        committedNanos = nowNanos;
    }

    /** {@return when Redis was sent it} Guarded by the queue. */
    long committedNanos() {
        return committedNanos;
    }

    /** {@return completes with the outcome of the release that was handed off} */
    public CompletableFuture<@Nullable Void> outcome() {
        return release.outcome();
    }

    /** The release that was handed off has succeeded, at this home: the lock is no longer its owner's. */
    void handoffConfirmed(Home by) {
        release.handoffConfirmed(by);
    }

    /** No reply will arrive any more. */
    void abandon() {
        release.abandon(null);
    }

    /** Redis refused the commit that a new connection begins with. */
    void refused(Call call) {
        release.handoffRefused(call);
    }

    // --- The receiver starts with the reply.

    @Override
    protected Answer read(Call call) {
        return lock().kind().readGrant(call, hold.tenure());
    }

    @Override
    protected void held(Call call, Answer found) {
        whenBelieved(call, to.lease().nanos(), () -> received(call, found), why -> uncertain(call));
    }

    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        if (executedBefore) {
            uncertain(call);
        } else {
            done();
            release.handoffRefuted(reason);
        }
    }

    @Override
    protected void refused(Call call, Answer answer) {
        if (answer.outcome() == Answer.Outcome.MALFORMED && !executedBefore) {
            lane().noteOrphan(hold);
        }
        ineffective(call);
    }

    @Override
    protected void ineffective(Call call) {
        if (executedBefore) {
            uncertain(call);
            return;
        }
        done();
        queue.cohort().released();
        release.sendItself();
    }

    @Override
    protected void unknown(Call call) {
        uncertain(call);
    }

    @Override
    protected void doubted() {
        executedBefore = true;
    }

    private void received(Call call, Answer found) {
        if (sentTo() == home()) {
            queue.earlyStart().noteAnswered(call);
        }
        holds().noteReleased(from, sentTo());
        hold.confirmedWhileHome(sentTo());
        hold.setDrawn(found.drawn(), sentTo());
        if (hold.loss() == null) {
            holds().keep(hold, call.sentNanos(), to.lease());
            deliver();
        } else {
            lane().noteOrphan(hold);
            done();
            queue.head().wake();
        }
        release.handoffConfirmed(sentTo());
        holds().verifyIfMoved(hold);
    }

    /** Redis may have either of the two tenures, or had one of them: both are released, whichever it is. */
    private void uncertain(Call call) {
        lane().noteOrphan(hold);
        done();
        queue.cohort().released();
        release.sendAgain(call);
    }

    /** Delivers the hold. A lease that has run out leaves the waiter in the queue. */
    private void deliver() {
        if (!deliver(hold, to)) {
            queue.head().wake();
        }
    }

    @Override
    public String toString() {
        return "handoff of " + from + " to " + lane();
    }
}
