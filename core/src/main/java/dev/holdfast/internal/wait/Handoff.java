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
import dev.holdfast.internal.redis.Call;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the lock off from a hold whose last level is released to the next waiter of the same client, the
 * <em>receiver</em>, in place of a release, a message and an attempt. It is a command of the receiver, in whose lane it
 * is the one command that runs.
 *
 * <pre>
 *              written, and the conditions below hold       HELD
 *   SENDING ------------------------------------> STARTED -------------------> ended
 *      |                                             |   \-- BUSY, GONE, LATE --> ended: the receiver's lease is lost
 *      |                                             |    \- no reply, or refused: settled with its chain
 *      |                                             |       in the next epoch
 *      | otherwise
 *      +---> AWAITED -- HELD --------------------------------------------------> ended: now the receiver starts
 *                    \- any other reply, or the hold was found lost meanwhile: the tenures that Redis may have, of the
 *                       two, are released; the waiter is still in line
 * </pre>
 *
 * <p><b>The receiver starts when the command is written</b>, and not when it is answered, if the script has been
 * answered in this epoch, no handoff before it in the {@link HandoffChain} has failed, and the rest of the lease that
 * is handed off is longer than a reply may take. (The receiver of a fenced lock never starts early, since its token is
 * in the reply.) Exclusion is no weaker by that than it is between two renewals:
 *
 * <ul>
 *   <li>All commands about the lock run in the order in which this client sent them, since they are sent on one
 *       connection, and a handoff is sent by the owner that the handoff before it has started. In Redis, the tenure
 *       that is handed off is replaced by the next one atomically. So as long as the first handoff of a chain takes
 *       place, each of them takes place when it is executed.
 *   <li>A handoff that never arrives leaves the lock with an earlier tenure of the chain, until the lease of that
 *       tenure has run out. A hold that is valid here without a reply is valid no longer than that: an unconfirmed
 *       lease ends no later than the lease it was handed off from.
 *   <li>So the receiver is wrong about its hold only if the previous owner was wrong about its own: the key was
 *       deleted, forced open, or lost with the server's data while the hold was believed valid. That can happen to
 *       every holder between two renewals, and is known after a third of the lease. Here it is known after one round
 *       trip, when the handoff's negative reply arrives.
 *   <li>If Redis refuses a handoff with an error, the lock still belongs to the old owner there. An acquire of that
 *       owner right behind the handoff would adopt it; so that acquire waits for the reply.
 *   <li>A new connection begins with one command that gives the lock to the last owner of the chain, whichever tenure
 *       of the chain has it. No later command about the lock is sent on that connection before it.
 * </ul>
 *
 * <p>A waiter stays in line until the lock is its own. So one that leaves meanwhile takes nothing with it: the hold
 * that was handed off to it is unwanted, and is released like any other unwanted grant.
 */
public final class Handoff extends GrantingCommand implements HandoffChain.Link {
    private static final Logger log = LoggerFactory.getLogger(Handoff.class);

    /** How many waiters are checked for being able to receive the lock now: nearly always the first one is. */
    private static final int MOST_CHECKED = 8;

    private enum State {
        SENDING,
        STARTED,
        AWAITED
    }

    private final WaitQueue queue;
    private final Release release;
    private final Hold from;
    private final Grantee to;
    private final Hold hold;
    private final boolean early;

    /** The epoch in which it was sent; written before it becomes part of the chain. */
    private long epochNumber;

    /** When it was sent; written with the epoch. */
    private long sentNanos;

    /** Guarded by this. */
    private State state = State.SENDING;

    /** A reply that arrived before the receiver could start. Guarded by this. */
    private @Nullable Call answer;

    /**
     * Creates a handoff from one hold to the owner of an acquisition.
     *
     * @param lane the receiver's
     * @param early whether the receiver may start when the command is written
     */
    public Handoff(OwnerLane lane, WaitQueue queue, Release release, Hold from, Grantee to, boolean early) {
        super(lane);
        this.queue = queue;
        this.release = release;
        this.from = from;
        this.to = to;
        this.hold = new Hold(lane, session().nextTenure(), session().now(), to, true);
        this.early = early;
    }

    /**
     * {@return a handoff to the first waiter that can receive the lock now; null if there is none} It has been reserved
     * as the command that runs in the receiver's lane. Skips the waiter whose attempt is in flight: its own reply is
     * about to report the lock busy, and it comes next. Called under the queue's monitor.
     *
     * @param mayStartEarly whether the chain of handoffs allows that the receiver starts when the command is written
     */
    static @Nullable Handoff toFirst(
            WaiterLine line, WaitQueue queue, Release release, Hold from, boolean mayStartEarly) {
        Iterator<LockWaiter> waiters = line.firsts();
        for (int checked = 0; checked < MOST_CHECKED && waiters.hasNext(); checked++) {
            LockWaiter to = waiters.next();
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
     * {@return the lease that a repair of the handoff requests, at least one} A watched lease begins anew, as it does
     * with each renewal. Of an explicit one it is the rest: the lease was to end when that has passed.
     */
    long leaseMillisLeft() {
        LeaseRequest lease = to.lease();
        long leftNanos = sentNanos + lease.nanos() - session().now();
        return lease.watched() ? lease.millis() : Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos));
    }

    @Override
    protected void run() {
        Call call = HandsOff.of(lock()).handoff(from.claim(), claim(to.lease().millis()), early, this);
        home().send(call);
        if (early) {
            written(call);
        }
    }

    @Override
    public void completed(Call call) {
        State known;
        synchronized (this) {
            known = state;
            if (early && known == State.SENDING) {
                answer = call;
                return;
            }
        }
        if (known == State.STARTED) {
            answeredInChain(call);
        } else {
            answered(call);
        }
    }

    // --- The receiver starts when the command is written.

    private void written(Call call) {
        Call known = answerSoFar();
        if (known == null) {
            known = startEarly(call);
        }
        if (known != null) {
            answered(known);
        }
    }

    /** {@return the reply, if it has arrived already; then there is no reason to start early} */
    private synchronized @Nullable Call answerSoFar() {
        if (answer != null) {
            state = State.AWAITED;
        }
        return answer;
    }

    /**
     * {@return the reply, if it has arrived meanwhile; null if the receiver has started, or will start with the reply}
     */
    private @Nullable Call startEarly(Call call) {
        hold.attachLease(holds().keepUnconfirmed(hold, call.sentNanos(), to.lease(), from));
        epochNumber = call.epochNumber();
        sentNanos = call.sentNanos();
        Call known;
        boolean starts;
        synchronized (this) {
            known = answer;
            starts = known == null
                    && hold.isValid()
                    && queue.cohort().unanswered().extend(this, call);
            if (starts) {
                release.handedOff();
            } else if (!hold.lease().end()) {
                // Lost already. No owner starts with this hold, so no unlock will follow: it must not wait for one.
                hold.leaveNewest();
            }
            state = starts ? State.STARTED : State.AWAITED;
        }
        if (starts) {
            release.leave();
            deliver();
        }
        return known;
    }

    private void answeredInChain(Call call) {
        switch (lock().kind().read(call, hold.tenure()).outcome()) {
            case HELD -> {
                queue.earlyStart().noteAnswered(call);
                if (queue.cohort().unanswered().confirmed(this)) {
                    confirm(call);
                    handoffConfirmed();
                }
            }
            case BUSY -> refuted(LossReason.TAKEN);
            case GONE, LATE -> refuted(LossReason.GONE);
            case REFUSED, NOT_EXECUTED, MALFORMED -> {
                log.debug(
                        "A handoff was refused in its place; a new connection puts its chain right: {}", call.error());
                home().restart(call.epochNumber(), new IOException("a handoff was refused: " + call.error()));
                unanswered(call);
            }
            case UNKNOWN, NOT_SENT -> unanswered(call);
        }
    }

    private void unanswered(Call call) {
        queue.cohort().flushDeferred();
        release.unanswered(call);
    }

    private void refuted(LossReason reason) {
        if (queue.cohort().unanswered().refuted(this)) {
            hold.lose(reason);
            release.handoffRefuted(reason);
        }
    }

    /** This or a later command proved that the lock was handed off to the hold. */
    void confirm(Call call) {
        hold.lease().confirmed(call.sentNanos(), to.lease().nanos());
    }

    @Override
    public long fromOwnerId() {
        return from.lane().ownerId();
    }

    @Override
    public boolean isInFlight(long presentEpoch) {
        return epochNumber == presentEpoch && !outcome().isDone();
    }

    /** {@return completes with the outcome of the release that was handed off} */
    public CompletableFuture<@Nullable Void> outcome() {
        return release.outcome();
    }

    /** The release that was handed off has succeeded: the lock is no longer its owner's. */
    void handoffConfirmed() {
        release.handoffConfirmed();
    }

    /** No reply will arrive any more. */
    void abandon() {
        release.abandon(null);
    }

    /** Redis refused the repair of the chain on a new connection. */
    void refused(Call call) {
        release.refused(call);
    }

    // --- The receiver starts with the reply.

    private void answered(Call call) {
        Answer found = lock().kind().readGrant(call, hold.tenure());
        switch (found.outcome()) {
            case HELD -> {
                queue.earlyStart().noteAnswered(call);
                hold.setToken(found.token());
                if (hold.loss() == null) {
                    holds().keep(hold, call.sentNanos(), to.lease());
                    deliver();
                } else {
                    lane().noteOrphan(hold);
                    done();
                    queue.head().wake();
                }
                release.handoffConfirmed();
            }
            case BUSY -> handoffRefuted(LossReason.TAKEN);
            case GONE, LATE -> handoffRefuted(LossReason.GONE);
            case REFUSED, NOT_EXECUTED, NOT_SENT -> {
                done();
                queue.cohort().released();
                release.sendItself();
            }
            case MALFORMED -> {
                lane().noteOrphan(hold);
                done();
                queue.cohort().released();
                release.sendItself();
            }
            case UNKNOWN -> {
                lane().noteOrphan(hold);
                done();
                queue.cohort().released();
                release.sendAgain(call);
            }
        }
    }

    /** Delivers the hold. A lease that has run out meanwhile leaves the waiter in line. */
    private void deliver() {
        if (!deliver(hold, to)) {
            queue.head().wake();
        }
    }

    private void handoffRefuted(LossReason reason) {
        done();
        release.handoffRefuted(reason);
    }

    @Override
    public String toString() {
        return "handoff of " + from + " to " + lane();
    }
}
