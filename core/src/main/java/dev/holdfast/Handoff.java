package dev.holdfast;

import dev.holdfast.redis.Call;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the lock from a hold whose last level is given back to the next waiter of the same client, in place of a release,
 * a message and a try. It is a step of the receiver, in whose lane it is the one command under way.
 *
 * <pre>
 *              written, and all is well                   held
 *   SENDING ---------------------------> STARTED --------------------------------> ENDED
 *      |                                    |   \-- somebody else's, or gone ---> ENDED: the next owner's lease is lost
 *      |                                    |    \- no answer, or refused: settled with its chain in the next epoch
 *      | otherwise
 *      +---> AWAITED -- held ------------------------------------------------------> ENDED: now the next owner starts
 *                    \- anything else, or the hold was found lost meanwhile: what Redis may have of the two tenures is
 *                       released, the waiter is still in line
 * </pre>
 *
 * <p><b>The next owner starts when the command is written</b>, and not when it is answered, if the script has been answered in
 * this epoch, no handoff before it in the {@link HandoffChain} has failed, and what is left of the lease that is handed on is more
 * than an answer may take. (A fenced lock's next owner never does, for its token is in the answer.) Exclusion is no weaker by
 * that than it is between two renewals:
 *
 * <ul>
 *   <li>All commands about the lock run in the order in which this client sent them, for they are on one connection, and a
 *       handoff is sent by the owner that was let in by the one before it. In Redis, the tenure that is handed on is replaced
 *       by the next one in one step. So as long as the first of a chain holds, each of them holds when its turn comes.
 *   <li>A handoff that never arrives leaves the lock with an earlier tenure of the chain, until that one's lease has run out.
 *       What is valid here without an answer is valid no longer than that: the end of a lease that is not confirmed is at
 *       most the end of the one it was handed on from.
 *   <li>So the next owner is wrong about its hold only if the one before was wrong about its own: the key was deleted, forced
 *       or lost with the server's data while it was believed valid. That can happen to every holder between two renewals, and
 *       is known after a third of the lease. Here it is known after one round trip, when the refusal of the handoff arrives.
 *   <li>Should Redis refuse a handoff, the lock is still the old owner's there. An acquire of that owner right behind would
 *       adopt it; so that one waits for the answer.
 *   <li>A new connection begins with one command that gives the lock to the last owner of the chain, whichever tenure of the
 *       chain has it. No command of a later step is sent on that connection before it.
 * </ul>
 *
 * <p>A waiter is in line until the lock is its. So one that leaves meanwhile takes nothing along: what was handed to it is
 * unwanted, and is released like any other grant that nobody wants.
 */
final class Handoff extends LaneCommand {
    private static final Logger log = LoggerFactory.getLogger(Handoff.class);

    private enum State {
        SENDING,
        STARTED,
        AWAITED
    }

    private final WaitQueue queue;
    private final Release release;
    private final Hold from;
    private final Acquisition to;
    private final Hold hold;
    private final boolean early;

    /** In which it was sent; written before it becomes part of the chain. */
    private long epochNumber;

    /** Guarded by this. */
    private State state = State.SENDING;

    /** An answer that was there before the next owner could start. Guarded by this. */
    private @Nullable Call answer;

    /**
     * One that passes {@code from} on to {@code to}.
     *
     * @param lane the receiver's
     * @param early whether the next owner may start when the command is written
     */
    Handoff(OwnerLane lane, WaitQueue queue, Release release, Hold from, Acquisition to, boolean early) {
        super(lane);
        this.queue = queue;
        this.release = release;
        this.from = from;
        this.to = to;
        this.hold = new Hold(lane, lane.engine().nextTenure(), lane.engine().now(), to, true);
        this.early = early;
    }

    /** {@return the hold that is handed on} */
    Hold from() {
        return from;
    }

    /** {@return the hold it is handed on to} */
    Hold hold() {
        return hold;
    }

    long leaseMillis() {
        return to.lease().millis();
    }

    @Override
    void run() {
        Call call = lock().kind().handoff(from, hold, leaseMillis(), early, this);
        engine().send(call);
        if (early) {
            written(call);
        }
    }

    @Override
    void giveUp(Throwable cause) {
        throw new IllegalStateException("a handoff does not wait for the link", cause);
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

    // --- The next owner starts when the command is written.

    private void written(Call call) {
        Call known = answerSoFar();
        if (known == null) {
            known = startEarly(call);
        }
        if (known != null) {
            answered(known);
        }
    }

    /** {@return the answer, if it is there already: then there is nothing to be early about} */
    private synchronized @Nullable Call answerSoFar() {
        if (answer != null) {
            state = State.AWAITED;
        }
        return answer;
    }

    /** {@return the answer, if it has come meanwhile; null if the next owner has started, or will with it} */
    private @Nullable Call startEarly(Call call) {
        hold.attachLease(engine().keepUnconfirmed(hold, call.sentNanos(), to.lease(), from));
        epochNumber = call.epochNumber();
        Call known;
        boolean starts;
        synchronized (this) {
            known = answer;
            starts = known == null && hold.isValid() && queue.cohort().extend(this, call);
            if (starts) {
                release.handedOn();
            } else if (!hold.lease().end()) {
                // Lost already. Nobody starts with this hold, so nobody will unlock it: it is not to wait for that.
                hold.leave(1);
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
        LockAnswer found = LockAnswer.of(call, hold.tenure());
        switch (found.kind()) {
            case HELD -> {
                engine().handoffs().noteAnswered(call);
                if (queue.cohort().confirmed(this)) {
                    confirm(call);
                    passed();
                }
            }
            case BUSY -> refuted(LossReason.TAKEN);
            case GONE, LATE -> refuted(LossReason.GONE);
            case REFUSED, NOT_EXECUTED -> {
                log.debug(
                        "A handoff was refused in its place; a new connection puts its chain right: {}", call.error());
                engine().link().restart(call.epochNumber(), new IOException("a handoff was refused: " + call.error()));
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
        if (queue.cohort().refuted(this)) {
            hold.lose(reason);
            release.notPassed(reason);
        }
    }

    /** This or a later command proved that the lock was passed on to the hold. */
    void confirm(Call call) {
        hold.lease().confirmed(call.sentNanos(), to.lease().nanos());
    }

    /** {@return whether it may still be answered in this epoch} */
    boolean isInFlight(long presentEpoch) {
        return epochNumber == presentEpoch && !outcome().isDone();
    }

    /** {@return completes with what the one who released is told} */
    CompletableFuture<@Nullable Void> outcome() {
        return release.outcome();
    }

    /** It happened, as far as the one who released is concerned. */
    void passed() {
        release.passed();
    }

    /** Nothing will be answered any more. */
    void abandon() {
        release.abandon(null);
    }

    /** A new connection could not be told who has the lock now. */
    void refused(Call call) {
        release.refused(call);
    }

    // --- The next owner starts with the answer.

    private void answered(Call call) {
        LockAnswer found = LockAnswer.ofGrant(call, lock(), hold.tenure());
        switch (found.kind()) {
            case HELD -> {
                engine().handoffs().noteAnswered(call);
                hold.setToken(found.token());
                if (hold.loss() == null) {
                    engine().keep(hold, call.sentNanos(), to.lease());
                    deliver();
                } else {
                    lane().noteOrphan(hold);
                    done();
                    queue.head().wake();
                }
                release.passed();
            }
            case BUSY -> notPassed(LossReason.TAKEN);
            case GONE, LATE -> notPassed(LossReason.GONE);
            case REFUSED, NOT_EXECUTED, NOT_SENT -> {
                if (call.outcome() == Call.Outcome.ANSWERED) {
                    lane().noteOrphan(hold); // What is no error and lacks the token is passed on all the same.
                }
                done();
                release.sendItself();
            }
            case UNKNOWN -> {
                lane().noteOrphan(hold);
                done();
                release.sendAgain(call);
            }
        }
    }

    /** A lease that has run out on the way leaves the waiter in line. */
    private void deliver() {
        if (!Grant.deliver(this, hold, to)) {
            queue.head().wake();
        }
    }

    private void notPassed(LossReason reason) {
        done();
        release.notPassed(reason);
    }

    @Override
    public String toString() {
        return "handoff of " + from + " to " + lane();
    }
}
