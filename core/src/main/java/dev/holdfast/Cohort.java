package dev.holdfast;

import dev.holdfast.redis.Call;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A contended lock while it is this client's: which of its owners has it, how it is handed on from one to the next, and for
 * how long it may stay.
 *
 * <pre>
 *             begin                     giveBack, and somebody is in line
 *   NOBODY ----------> HOLDER ---------------------------------------------> NOBODY, until the next begin
 *     ^ ^                |  \                                              ^
 *     | |                |   \ giveBack, nobody is in line,                | somebody came
 *     | |  giveBack,     |    \ handoffs are without an answer             |
 *     | |  or gone       |     +----------------------------------> IDLE --+
 *     | +----------------+                                           |
 *     +--------------------- nobody came: released ------------------+
 * </pre>
 *
 * <p>A try that was under way can be granted while the lock is idle, if that had been lost: then there is a holder as well, and
 * who comes waits for it; what is idle is released, and that will say so.
 *
 * <p><b>Idle.</b> On a hot lock the next owners start faster than Redis answers. Then the line runs empty, since all who want the
 * lock still wait to hear that they have released it; they will want it again as soon as they have. To let go of it now would
 * give it to another client for each such round. So the release is put off until they have been answered and had time to
 * come back. Its caller waits for that, longer than a round trip by another and a fraction of a millisecond at most. Where no
 * more than two want the lock it is not worth that, and not done.
 *
 * <p>Shares the monitor of its {@link WaitQueue}: that somebody joins the line because there is a holder to wait for, and
 * that the holder looks at the line when it leaves, must not happen at once.
 */
final class Cohort {
    /** How many are asked whether they can receive the lock now: nearly always the first can. */
    private static final int MOST_LOOKS = 8;

    /** What a thread needs to come back that has just been told the end of its release. */
    private static final Duration DEFERRAL = Duration.ofNanos(200_000);

    /** A hold that was given back and whose release was not sent. */
    private static final class DeferredRelease {
        final Hold from;
        final Release release;

        DeferredRelease(Hold from, Release release) {
            this.from = from;
            this.release = release;
        }
    }

    private final Engine engine;
    private final WaitQueue queue;
    private final RemoteWaiters remote;
    // All below is guarded by the queue.
    private final WaiterLine line;
    private final HandoffChain chain = new HandoffChain();
    private final CohortBudget budget;

    /** A release that is put off; null while there is none. */
    private @Nullable DeferredRelease deferred;

    /** Whether several have waited at a time since the lock became this client's. */
    private boolean hadSeveralWaiters;

    /** Who has the lock and has not begun to give it back; null also for one who had it before anybody waited. */
    private @Nullable Hold holder;

    Cohort(Engine engine, WaitQueue queue, WaiterLine line) {
        this.engine = engine;
        this.queue = queue;
        this.line = line;
        this.budget = new CohortBudget(engine.now());
        this.remote = new RemoteWaiters(engine, queue);
    }

    // --- For the queue, under its monitor.

    CohortBudget budget() {
        return budget;
    }

    /** {@return whether another owner of this client has the lock, and its lease has not run out; or it is idle} */
    boolean isHeldByAnother(long ownerId) {
        Hold known = holder;
        return deferred != null
                || (known != null
                        && known.lane().ownerId() != ownerId
                        && known.lease().isRunning());
    }

    /**
     * An owner of this client is about to have the lock.
     *
     * @return the hold that was believed to have it, and cannot any more since Redis granted it to another; null if none was
     */
    @Nullable
    Hold begin(Hold hold) {
        Hold before = holder;
        holder = hold;
        if (before == hold || hold.isHandedOn()) {
            return null;
        }
        budget.begin(engine.now());
        return before;
    }

    /** {@return whether nobody here has the lock, as far as the queue knows, and no handoff is without an answer} */
    boolean isOver() {
        return holder == null && deferred == null && chain.isEmpty();
    }

    /** {@return whether others are known to listen, so that the turn has to be remembered} */
    boolean isContended() {
        return remote.others() > 0;
    }

    /** So many clients have received the message of a release of this client. */
    void received(int clients) {
        remote.received(clients);
    }

    // --- Giving it back.

    /**
     * The owner gives the lock back: it is handed on, or kept idle for a moment, or not ours any more.
     *
     * <p>If another of this client has been granted it meanwhile, this one has lost it without knowing, and has nothing to hand
     * on; its release will say so.
     *
     * @return false if the lock is to be released now, by the caller
     */
    boolean passOn(Hold from, Release release) {
        Handoff handoff = null;
        boolean pending = false;
        synchronized (queue) {
            boolean superseded = holder != null && holder != from;
            end(from);
            if (!superseded && !exhausted()) {
                handoff = firstToReceive(from, release);
                pending = handoff == null && shouldDefer(from);
            }
            if (pending) {
                deferred = new DeferredRelease(from, release);
            } else if (handoff == null) {
                noteRelease();
            }
        }
        remote.refresh(engine.now());
        if (handoff != null) {
            engine.handoffs().start(handoff);
        } else if (!pending) {
            queue.retireUnlessWanted();
        }
        return handoff != null || pending;
    }

    /**
     * {@return whether the line is empty only for the moment, but for one who just asks whether the lock is free} Those who
     * will be answered can come back; when the connection is gone, nobody will be. A lease that is about to run out is not kept for
     * them.
     */
    private boolean shouldDefer(Hold from) {
        return hadSeveralWaiters
                && deferred == null
                && engine.handoffs().mayStartEarly(from)
                && queue.head().nobodyElseWaits()
                && chain.isInFlight(engine.link().epochNumber())
                && !queue.isClosed();
    }

    /**
     * Somebody came, or a try found the lock busy: if it is idle, it is handed on.
     *
     * @return whether it was released instead, and not for others, so that who came should try
     */
    boolean onWaiterArrived() {
        DeferredRelease pending;
        Handoff handoff = null;
        boolean exhausted;
        synchronized (queue) {
            pending = deferred;
            if (pending == null) {
                return false;
            }
            deferred = null;
            exhausted = exhausted();
            if (!exhausted && holder == null) {
                handoff = firstToReceive(pending.from, pending.release);
            }
            if (handoff == null) {
                noteRelease();
            }
        }
        if (handoff == null) {
            pending.release.sendItself();
        } else {
            engine.handoffs().start(handoff);
        }
        return handoff == null && !exhausted;
    }

    /** Nobody came, or nobody can be expected any more: the lock is released if it is idle. */
    void flushDeferred() {
        DeferredRelease pending;
        synchronized (queue) {
            pending = deferred;
        }
        if (pending != null) {
            flushDeferred(pending);
        }
    }

    private void flushDeferred(DeferredRelease which) {
        synchronized (queue) {
            if (deferred != which) {
                return;
            }
            deferred = null;
            noteRelease();
        }
        which.release.sendItself();
        queue.retireUnlessWanted();
    }

    /** Under the monitor. {@return whether the turn is over} */
    private boolean exhausted() {
        return budget.exhausted(engine.now(), remote.others(), queue.head().isListening());
    }

    /** Under the monitor: the lock is being released. */
    private void noteRelease() {
        budget.end(engine.now());
        queue.head().expectMessage();
        hadSeveralWaiters = false;
    }

    /** The last handoff was answered: who released is on its way back, or is not. */
    private void answeredAll() {
        DeferredRelease pending;
        synchronized (queue) {
            pending = chain.isEmpty() ? deferred : null;
        }
        if (pending != null) {
            engine.after(DEFERRAL, () -> flushDeferred(pending));
        }
    }

    /** Somebody joins the line. Under the monitor. */
    void joined() {
        hadSeveralWaiters |= line.size() > 1;
    }

    /** Who tries just now is about to learn by itself that the lock is taken, and comes next. */
    private @Nullable Handoff firstToReceive(Hold from, Release release) {
        boolean early = chain.mayGrow() && engine.handoffs().mayStartEarly(from);
        Iterator<Acquisition> all = line.firsts();
        for (int looks = 0; looks < MOST_LOOKS && all.hasNext(); looks++) {
            Acquisition to = all.next();
            if (!queue.head().isTrying(to) && to.ownerId() != from.lane().ownerId()) {
                Handoff handoff = new Handoff(to.lane(), queue, release, from, to, early);
                if (to.lane().claim(handoff)) {
                    return handoff;
                }
            }
        }
        return null;
    }

    /** This owner does not have the lock any more, and there is no release to be heard: the next one tries. */
    void gone(Hold hold) {
        boolean known;
        synchronized (queue) {
            known = end(hold);
        }
        if (known) {
            queue.head().wake();
            queue.retireUnlessWanted();
        }
    }

    private boolean end(Hold hold) {
        boolean known = holder == hold;
        if (known) {
            holder = null;
        }
        return known;
    }

    // --- The handoffs without an answer.

    /** One more, whose next owner starts now. False if the connection that it was sent on is gone by now. */
    boolean extend(Handoff handoff, Call sent) {
        synchronized (queue) {
            boolean there = !queue.isRetired() && engine.link().epochNumber() == sent.epochNumber();
            if (there) {
                chain.add(handoff);
            }
            return there;
        }
    }

    /** It happened. False if that was known, because a later command had proved it. */
    boolean confirmed(Handoff handoff) {
        boolean news;
        boolean over;
        synchronized (queue) {
            news = chain.remove(handoff);
            queue.noteBusy();
            over = isOver();
        }
        answeredAll();
        if (over) {
            queue.retireUnlessWanted();
        }
        return news;
    }

    /** It did not happen, and nor will those after it in the chain. False if it is no part of it any more. */
    boolean refuted(Handoff handoff) {
        boolean news;
        synchronized (queue) {
            news = chain.remove(handoff);
            chain.markBroken();
        }
        flushDeferred();
        queue.retireUnlessWanted();
        return news;
    }

    /** These are settled. */
    void forget(List<Handoff> completed) {
        synchronized (queue) {
            completed.forEach(chain::remove);
        }
        flushDeferred();
        queue.retireUnlessWanted();
    }

    /** A connection is about to take calls: it begins with what the chain of the last one came to. */
    void repair(Consumer<Call> first) {
        List<Handoff> unanswered = unanswered();
        if (!unanswered.isEmpty()) {
            first.accept(new ChainRepair(this, unanswered).call());
        }
    }

    /** {@return the latest handoff of this owner that is in flight; null if none is} */
    @Nullable
    Handoff unansweredFrom(long ownerId) {
        synchronized (queue) {
            return chain.latestFrom(ownerId, engine.link().epochNumber());
        }
    }

    /** {@return what becomes of the releases that were handed on and have no answer} */
    List<CompletableFuture<@Nullable Void>> outcomes() {
        return unanswered().stream().map(Handoff::outcome).toList();
    }

    private List<Handoff> unanswered() {
        synchronized (queue) {
            return chain.unanswered();
        }
    }

    /** The client is closed: nothing will be answered or released any more. */
    void abandon() {
        List<Handoff> unanswered;
        synchronized (queue) {
            holder = null;
            unanswered = chain.unanswered();
            unanswered.forEach(chain::remove);
        }
        unanswered.forEach(Handoff::abandon);
        queue.retireUnlessWanted();
    }
}
