package dev.holdfast.internal.wait;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends handoffs to Redis: one command gives the lock to the last receiver, from the hold that the first of them starts
 * from. The holds in between, which began and were released since the last commit, are never in Redis.
 *
 * <pre>
 *           HELD
 *   SENT ------------------------------------> every release succeeds
 *     |  \--- BUSY, GONE, LATE ---------------> every hold that it covers is lost
 *      \----- no reply, not sent, refused ----> the chain stalls, until the next connection, or another home
 * </pre>
 *
 * <p>A new connection begins with a commit of the whole chain, because nobody knows which commands of the old one were
 * executed. If none of the chain's holds has the lock, the last owner's lease is lost; the releases of the other owners
 * count as done, since those owners had released the lock already. If Redis refuses this commit, each hold that Redis
 * may know is released by itself, whichever has the lock. The same goes for the first commit to a node that the lock has
 * moved to; if that is not executed, no connection repeats it, so it is sent again by itself.
 *
 * @see "GroupCommitTest, GroupCommitOrdersTest"
 */
final class HandoffCommit implements Call.Callback {
    /** Where it stands among the commands about its lock. */
    enum Position {
        /** Behind other commits, on a connection that knows the script. */
        IN_ORDER,
        /** First on a connection, which accepts no other call before. */
        OPENING,
        /** First at a node to which the lock has moved. */
        MOVED
    }

    private final UnansweredHandoffs handoffs;
    private final List<Handoff> covered;
    private final List<Hold> before;
    private final Position position;
    private final int round;
    private final Handoff last;

    /** Where it was sent; written before that. */
    private @Nullable Home home;

    /** The lease that was requested; written before the call is sent. */
    private long leaseNanos;

    /** The thread that is sending it; null before and afterwards. */
    private volatile @Nullable Thread sender;

    /** An outcome that its sender got while it was sending; used by that thread alone. */
    private @Nullable Call known;

    /**
     * @param covered the handoffs that the reply decides, in order; at least one
     * @param before the holds that may have the lock in Redis: the one that the first of these handoffs starts from, to
     *     which the commit before gave the lock; or if it is not in order, all holds of the chain that Redis may know
     * @param round how many commits of the whole chain there were before, this one included
     */
    HandoffCommit(UnansweredHandoffs handoffs, List<Handoff> covered, List<Hold> before, Position position, int round) {
        this.handoffs = handoffs;
        this.covered = covered;
        this.before = before;
        this.position = position;
        this.round = round;
        this.last = covered.get(covered.size() - 1);
    }

    List<Handoff> covered() {
        return covered;
    }

    int round() {
        return round;
    }

    private boolean isInOrder() {
        return position == Position.IN_ORDER;
    }

    private Call call() {
        Hold hold = last.hold();
        leaseNanos = last.leaseNanosLeft();
        hold.requestsUntil(hold.lane().registry().session().now() + leaseNanos);
        List<Claim> from = before.stream().map(Hold::claim).toList();
        return HandsOff.of(hold.lock()).commit(from, last.claim(LeaseRequest.millisOf(leaseNanos)), !isInOrder(), this);
    }

    /**
     * Sends it, under the monitor of the chain. To a home that may lack the hold that the chain begins with, that is sent
     * before. An outcome that this thread gets during that, because there is no connection, is processed by {@link #sent}.
     */
    void send(Home node, Consumer<Call> to) {
        home = node;
        sender = Thread.currentThread();
        Hold first = covered.get(0).from();
        first.lane().registry().settle(first, node, to);
        to.accept(call());
        sender = null;
        last.hold().noteSent();
    }

    /** It was sent; the calling thread, which has sent it, holds no monitor any more. */
    void sent() {
        Call outcome = known;
        if (outcome != null) {
            answered(outcome);
        }
    }

    @Override
    public void completed(Call call) {
        if (sender == Thread.currentThread()) {
            known = call;
        } else {
            answered(call);
        }
    }

    private void answered(Call call) {
        switch (Answer.of(call, last.hold().tenure()).outcome()) {
            case HELD -> held(call);
            case BUSY -> refuted(LossReason.TAKEN);
            case GONE, LATE -> refuted(LossReason.GONE);
            case REFUSED, MALFORMED -> {
                if (isInOrder()) {
                    handoffs.failed(this, call);
                } else {
                    refused(call);
                }
            }
            case NOT_EXECUTED -> {
                switch (position) {
                    case IN_ORDER -> handoffs.failed(this, call);
                    // It is repeated before this connection accepts any other call.
                    case OPENING -> handoffs.unanswered(this, call);
                    case MOVED -> handoffs.notCommitted(this, call);
                }
            }
            case NOT_SENT -> {
                if (position == Position.MOVED) {
                    handoffs.notCommitted(this, call);
                } else {
                    handoffs.unanswered(this, call);
                }
            }
            case UNKNOWN -> handoffs.unanswered(this, call);
        }
    }

    private void held(Call call) {
        Home by = home();
        noteReleased();
        last.hold().confirmedWhileHome(by);
        boolean isHere = last.hold().lane().home() == by;
        List<Handoff> decided = handoffs.confirmed(covered, isInOrder() && isHere ? call : null);
        if (!decided.isEmpty()) {
            prolong(call);
            OrphanRelease.beginIfLost(last.hold());
            handedOff(decided);
        }
        handoffs.settled();
    }

    /** The holds in between were never in Redis: a home that has missed commands shows none of them. */
    private void noteReleased() {
        Holds holds = last.hold().lane().registry();
        before.forEach(each -> holds.noteReleased(each, home()));
    }

    private void handedOff(List<Handoff> decided) {
        decided.forEach(handoff -> handoff.handoffConfirmed(home()));
    }

    private Home home() {
        return Objects.requireNonNull(home, "it was sent");
    }

    /**
     * What a node confirms that may have been replaced prolongs nothing: the hold is valid for as long as the one that it was
     * handed off from, which the new master knows. It is extended by a command of its own, to the end that was requested.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a hold that cannot be extended ends with that lease
    private void prolong(Call call) {
        Hold hold = last.hold();
        if (call.isDoubtful()) {
            Extension.beginUntil(hold, call.sentNanos() + leaseNanos);
            return;
        }
        call.onceReplicated(() -> {
            hold.lease().confirmed(call.sentNanos(), leaseNanos);
            hold.lane().registry().verifyIfMoved(hold);
        });
    }

    private void refuted(LossReason reason) {
        if (!isInOrder()) {
            noteReleased();
        }
        List<Handoff> decided = handoffs.refuted(covered);
        if (!isInOrder()) {
            last.hold().lose(reason);
            handedOff(decided);
        } else {
            decided.forEach(handoff -> handoff.refuted(reason));
        }
    }

    private void refused(Call call) {
        List<Handoff> decided = handoffs.refuted(covered);
        last.hold().lose(LossReason.REFUSED);
        if (!last.hold().isLeftToRunOut()) {
            // The owners have released these holds or were notified of their loss, and no other caller wants them.
            OrphanRelease.begin(last.hold());
            before.forEach(OrphanRelease::begin);
        }
        decided.forEach(handoff -> handoff.refused(call));
    }
}
