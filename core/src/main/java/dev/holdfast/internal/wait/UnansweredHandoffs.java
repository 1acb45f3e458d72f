package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handoffs of one lock whose receivers have started and which Redis has not confirmed: when they are committed,
 * and what the replies mean for the {@link Cohort}.
 *
 * <p>While a {@link HandoffCommit} is unanswered, further handoffs need no command of their own: its reply causes one
 * that covers all of them (<em>group commit</em>). So a lock that is handed off faster than Redis replies costs two
 * commands in a round trip, however many owners have it in that time. The callers wait for the outcome of a release up
 * to twice as long for that, which costs nothing while the client works at its limit. It would cost over a slow link,
 * where the queue runs empty before they come back: there, further commits follow before the reply, a few in each round
 * trip, and one when the queue is about to be empty.
 *
 * <p>Commits are created and sent one at a time, under the monitor of this object, so that they arrive in the order of
 * the chain. The monitor of the queue, which guards the chain, is acquired within it.
 *
 * <p>The lock may move to another node while commits are unanswered. Then the whole chain is committed at that node, before
 * any other command about the lock is sent there: by the sender of the next command, which may be the one that noticed
 * the move. Where the chain was committed:
 *
 * <pre>
 *             a commit is sent                     the lock has moved, and a commit of all is sent
 *   NOWHERE ------------------> HOME ------------------------------------------------------------> ANOTHER HOME
 *      ^                          |                                                                     |
 *      +--- that commit of all was not executed, and is sent again -------------------------------------+
 * </pre>
 *
 * @see "ChainRepairTest, EarlyStartTest, HandoffOutageTest"
 */
final class UnansweredHandoffs {
    private static final Logger log = LoggerFactory.getLogger(UnansweredHandoffs.class);

    private final Cohort cohort;
    private final WaitQueue queue;

    /** Guarded by the queue. */
    private final HandoffChain<Handoff> chain;

    /** The home to which the chain was last committed; null while none is known. Guarded by the queue. */
    private @Nullable Home committedTo;

    /** How often the whole chain was committed: an earlier commit without an answer decides nothing any more. */
    private int round;

    UnansweredHandoffs(Cohort cohort, WaitQueue queue, HandoffChain<Handoff> chain) {
        this.cohort = cohort;
        this.queue = queue;
        this.chain = chain;
    }

    /**
     * Adds a handoff whose receiver starts now, and commits it if no commit is unanswered. Returns false if the
     * connection is lost by now, or an earlier handoff has failed or led elsewhere, or the queue is retired.
     */
    boolean extend(Handoff handoff) {
        boolean due;
        synchronized (queue) {
            if (queue.isRetired()
                    || !chain.mayGrow()
                    || !continuesChain(handoff)
                    || !queue.earlyStart().isPossible()) {
                return false;
            }
            handoff.joined();
            chain.add(handoff);
            due = isDue(handoff.hold());
        }
        if (due) {
            commit();
        }
        return true;
    }

    /**
     * {@return whether the handoff starts from the hold that the chain leads to} An acquire that was in flight when the
     * chain began may have been granted, if the lock was lost. Its owner's handoff must not depend on those of the chain.
     */
    private boolean continuesChain(Handoff handoff) {
        Handoff last = chain.last();
        return last == null || last.hold() == handoff.from();
    }

    /** {@return whether to commit before the reply to the last commit} The receiver of the last handoff is in the queue. */
    private boolean isDue(Hold added) {
        Handoff latest = chain.lastCommitted();
        if (latest == null || queue.earlyStart().isLate(added)) {
            return true;
        }
        long pauseNanos = queue.earlyStart().commitPauseNanos();
        return pauseNanos > 0 && (queue.size() <= 1 || queue.session().now() - latest.committedNanos() >= pauseNanos);
    }

    /**
     * Another command about the lock is about to be sent: all handoffs are committed before. If another thread is
     * sending a commit, this waits until it is sent, be there anything else to commit or not.
     *
     * @return the home to which they were committed
     */
    Home commitAll() {
        Home home = queue.home();
        boolean none;
        synchronized (queue) {
            none = chain.isEmpty();
        }
        return none ? home : commit();
    }

    /** {@return whether handoffs that are unanswered were committed to another node than this} Under the queue's monitor. */
    private boolean isElsewhere(Home home) {
        return committedTo != home && chain.isCommittedInPart();
    }

    /** When this returns, the home that it returns has been sent every handoff that was added before the call. */
    private Home commit() {
        HandoffCommit commit = null;
        Home home;
        synchronized (this) {
            home = queue.home();
            synchronized (queue) {
                if (isElsewhere(home)) {
                    commit = ofAll(home, HandoffCommit.Position.MOVED);
                } else if (chain.awaitsCommit()) {
                    committedTo = home;
                    List<Handoff> covered = chain.startCommit(queue.session().now());
                    List<Hold> before = List.of(covered.get(0).from());
                    commit = new HandoffCommit(this, covered, before, HandoffCommit.Position.IN_ORDER, round);
                }
            }
            if (commit != null) {
                Home to = home;
                commit.send(to, call -> to.send(queue.lock(), call));
            }
        }
        if (commit != null) {
            commit.sent();
        }
        return home;
    }

    /** {@return a commit of the whole chain, which may have been committed in part} Under both monitors. */
    private HandoffCommit ofAll(Home home, HandoffCommit.Position position) {
        committedTo = home;
        round++;
        List<Hold> before = knownToRedis();
        chain.startCommit(queue.session().now());
        return new HandoffCommit(this, chain.unanswered(), before, position, round);
    }

    /**
     * A connection to this node, which is the lock's home, is about to accept calls: it begins with a commit of the
     * handoffs that the last one left unanswered.
     */
    void repair(Home home, Consumer<Call> first) {
        HandoffCommit commit = null;
        synchronized (this) {
            synchronized (queue) {
                if (!chain.isEmpty()) {
                    commit = ofAll(home, HandoffCommit.Position.OPENING);
                }
            }
            if (commit != null) {
                commit.send(home, first);
            }
        }
        if (commit != null) {
            commit.sent();
        }
    }

    /**
     * {@return the holds of the chain that Redis may have: nobody knows which commands of the old connection, or which
     * of those at the old home, it has executed} Under the monitor.
     */
    private List<Hold> knownToRedis() {
        return chain.unanswered().stream()
                .map(Handoff::from)
                .filter(Hold::isSent)
                .toList();
    }

    /**
     * Redis has confirmed these handoffs.
     *
     * @param inPlace the call that was answered, if it was by the SHA of the script
     * @return those that were not decided before
     */
    List<Handoff> confirmed(List<Handoff> committed, @Nullable Call inPlace) {
        if (inPlace != null) {
            queue.earlyStart().noteAnswered(inPlace);
        }
        List<Handoff> decided;
        boolean next;
        synchronized (queue) {
            decided = remove(committed);
            queue.noteBusy();
            next = chain.awaitsCommit() && chain.lastCommitted() == null;
        }
        if (next) {
            commit();
        }
        return decided;
    }

    /** The releases that were confirmed have been completed. */
    void settled() {
        cohort.answered();
        boolean over;
        synchronized (queue) {
            over = cohort.isOver();
        }
        if (over) {
            queue.retireUnlessWanted();
        }
    }

    /**
     * These handoffs did not take place. Neither did those after them that start from them; they are committed, and
     * their own reply says so.
     *
     * @return those that were not decided before
     */
    List<Handoff> refuted(List<Handoff> committed) {
        List<Handoff> decided;
        synchronized (queue) {
            decided = remove(committed);
            chain.markBroken();
        }
        commitAll();
        cohort.flushDeferred();
        queue.retireUnlessWanted();
        return decided;
    }

    private List<Handoff> remove(List<Handoff> decided) {
        return decided.stream().filter(chain::remove).toList();
    }

    /**
     * Redis did not execute the commit of these. Receivers have started that it does not know, and later commands rely
     * on them: the connection ends, and the next one begins with all handoffs.
     */
    void failed(HandoffCommit commit, Call call) {
        log.debug("Handoffs were refused in their place; a new connection puts them right: {}", call.error());
        List<Handoff> waiting = stall(commit);
        queue.home().restart(call.epochNumber(), new IOException("a handoff was refused: " + call.error()));
        unansweredIn(waiting, call);
        commitAll();
    }

    /** The commit has no answer: the next connection begins with all handoffs, or they are committed at another node. */
    void unanswered(HandoffCommit commit, Call call) {
        unansweredIn(stall(commit), call);
        commitAll();
    }

    /**
     * The node that has the lock by now lacks the handoffs, since it did not execute the commit, or there was no
     * connection: the commit is sent again when it can be, or before the next command about the lock.
     */
    void notCommitted(HandoffCommit commit, Call call) {
        List<Handoff> waiting = stall(commit);
        synchronized (queue) {
            if (commit.round() != round) {
                return;
            }
            committedTo = null;
        }
        unansweredIn(waiting, call);
        long untilNanos = queue.session().now() + queue.session().commandTimeoutNanos();
        queue.home().connectionWait().await(queue.lock(), call, this::commitAgain, untilNanos, this::commitAgain);
    }

    private void commitAgain() {
        boolean closing;
        synchronized (queue) {
            closing = queue.isClosing();
        }
        if (!closing) {
            commitAll();
        }
    }

    /**
     * An outcome may come late, when a later connection or another node has decided these handoffs, or is about to: that
     * stalls none.
     */
    private List<Handoff> stall(HandoffCommit commit) {
        synchronized (queue) {
            return commit.round() == round && chain.containsAny(commit.covered()) ? chain.stall() : List.of();
        }
    }

    private void unansweredIn(List<Handoff> waiting, Call call) {
        cohort.flushDeferred();
        waiting.forEach(handoff -> handoff.unanswered(call));
    }

    /** {@return the latest handoff from this owner that the next replies decide; null if there is none} */
    @Nullable
    Handoff latestFrom(long ownerId) {
        synchronized (queue) {
            return chain.latestFrom(ownerId);
        }
    }

    /** {@return the outcomes of the releases that were handed off and are unanswered} */
    List<CompletableFuture<@Nullable Void>> outcomes() {
        List<Handoff> unanswered;
        synchronized (queue) {
            unanswered = chain.unanswered();
        }
        return unanswered.stream().map(Handoff::outcome).toList();
    }

    /** Removes all: they will not be answered any more. Under the monitor. */
    List<Handoff> removeAll() {
        List<Handoff> all = chain.unanswered();
        all.forEach(chain::remove);
        return all;
    }
}
