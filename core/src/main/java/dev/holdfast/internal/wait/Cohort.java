package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.HandsOff;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A contended lock while this client owns it: the local holder, the handoffs in flight, and how long the client may
 * keep it.
 *
 * <pre>
 *               begin                   handOff: handed off to a waiter in the queue
 *   NO HOLDER ----------> HELD ---------------------------------------------> NO HOLDER, until the next begin
 *     ^ ^                   |  \                                            ^
 *     | |                   |   \ handOff: the queue is empty,               | onWaiterArrived: handed off
 *     | |  handOff: released,|    \ handoffs are unanswered                  |
 *     | |  or gone          |     +------------------------------> DEFERRED -+
 *     | +-------------------+                                          |
 *     +--------------------- flushDeferred: no waiter came, released --+
 * </pre>
 *
 * <p>An attempt in flight can be granted while a release is deferred, if the hold of that release had been lost. Then
 * there is a holder as well, and a waiter that joins waits for it; the deferred release is sent, and its reply reports
 * the loss.
 *
 * <p><b>Deferred release.</b> On a hot lock the next owners start faster than Redis replies. Then the queue runs empty,
 * since all threads that want the lock still wait for the replies to their own releases; each will acquire again as
 * soon as it has its reply. Releasing the lock at this point would give it to another client in each such round. So the
 * release is deferred until those replies have arrived and the threads have had time to acquire again. Its caller waits
 * for that: longer than a round trip by at most two more and a fraction of a millisecond. Where no more than
 * two owners want the lock, deferring is not worth that, and is not done.
 *
 * <p>Shares the monitor of its {@link WaitQueue}: a waiter that joins the queue because there is a holder to wait for,
 * and a holder that inspects the queue when it leaves, must exclude each other.
 *
 * @see "CohortBudgetTest, CohortFairnessTest, HandoffContentionTest"
 */
public final class Cohort {
    /** No id of an owner. */
    private static final long NOBODY = 0;

    /** The time that a thread needs to acquire again after its release has completed. */
    private static final Duration DEFERRAL = Duration.ofNanos(200_000);

    /** A hold whose last level was released, and its release, which was not sent. */
    private static final class DeferredRelease {
        final Hold from;
        final Release release;

        DeferredRelease(Hold from, Release release) {
            this.from = from;
            this.release = release;
        }
    }

    /**
     * What becomes of a release; it is decided under the monitor and done outside it.
     *
     * @param handoff starts in place of the release
     * @param send the release that is to be sent
     * @param attempt whether the waiter that has just arrived is to attempt
     */
    private record Step(@Nullable Handoff handoff, @Nullable Release send, boolean attempt) {
        static final Step NONE = new Step(null, null, false);

        static Step handOff(Handoff handoff) {
            return new Step(handoff, null, false);
        }

        static Step send(Release release) {
            return new Step(null, release, false);
        }
    }

    private final WaitQueue queue;
    private final LocalLock local;
    private final RemoteWaiters remote;
    private final UnansweredHandoffs unanswered;

    // All below is guarded by the queue.
    private final QueuedWaiters waiters;
    private final HandoffChain<Handoff> chain = new HandoffChain<>();
    private final CohortBudget budget;

    /** The deferred release; null while there is none. */
    private @Nullable DeferredRelease deferred;

    /** Whether several acquisitions have waited at the same time since this client acquired the lock. */
    private boolean hadSeveralWaiters;

    private final Holders holders = new Holders();

    Cohort(WaitQueue queue, LocalLock local, QueuedWaiters waiters) {
        this.queue = queue;
        this.local = local;
        this.waiters = waiters;
        this.unanswered = new UnansweredHandoffs(this, queue, chain);
        this.budget = new CohortBudget(queue.session().now());
        this.remote =
                new RemoteWaiters(queue::home, queue.lock(), queue.session().now());
    }

    /** {@return the handoffs of this lock whose replies are outstanding} */
    UnansweredHandoffs unanswered() {
        return unanswered;
    }

    // --- For the queue, under its monitor.

    CohortBudget budget() {
        return budget;
    }

    /**
     * {@return whether another owner of this client has the lock for itself alone, and its lease has not run out; or a release
     * is deferred} An attempt of this owner would find the lock busy.
     */
    public boolean isHeldByAnother(long ownerId) {
        return deferred != null || holders.includeOther(ownerId);
    }

    /** {@return whether an owner of this client has the lock for itself alone, as far as is known here} */
    boolean isHeldHere() {
        return isHeldByAnother(NOBODY) || local.isHeld();
    }

    /** {@return whether this hold is known to have the lock} */
    boolean isHolder(Hold hold) {
        return holders.include(hold);
    }

    /**
     * An owner of this client is about to have the lock.
     *
     * @return the hold that was known as the holder, and cannot be any more since Redis granted the lock to another;
     *     null if there was none
     */
    @Nullable
    Hold begin(Hold hold) {
        boolean known = holders.include(hold);
        Hold displaced = holders.add(hold);
        if (known || hold.isHandedOff()) {
            return null;
        }
        budget.begin(queue.session().now());
        return displaced;
    }

    /**
     * {@return whether no owner of this client has the lock, as far as the queue knows, no release is deferred, and no
     * handoff is unanswered}
     */
    boolean isOver() {
        return holders.isEmpty() && deferred == null && chain.isEmpty();
    }

    /** {@return whether others are known to be subscribed, so that the budget has to be remembered} */
    boolean isContended() {
        return remote.others() > 0;
    }

    /** Records how many clients received the message of a release of this client. */
    void received(int clients) {
        remote.received(clients);
    }

    // --- Releasing.

    /**
     * An owner releases the lock: it is handed off, or its release is deferred for a moment, or the client no longer
     * has it.
     *
     * <p>If another owner of this client has been granted the lock since, this owner has lost it unnoticed, and
     * there is nothing to hand off; the reply to its release will report that.
     *
     * @return false if the caller is to send the release now
     */
    boolean handOff(Hold from, Release release) {
        Step step;
        boolean otherSide = local.isOtherSideWanted();
        synchronized (queue) {
            step = decide(from, release, otherSide);
        }
        if (!Enlists.waitBesideHolders(from.lock())) {
            remote.refresh(queue.session().now());
        }
        if (step.send() != null) {
            queue.retireUnlessWanted();
            return false;
        }
        perform(step);
        return true;
    }

    private Step decide(Hold from, Release release, boolean otherSide) {
        if (Enlists.waitBesideHolders(from.lock())) {
            holders.remove(from);
            if (queue.places().isWanted()) {
                noteRelease();
            }
            return Step.send(release);
        }
        boolean keeps = from.lock().kind() instanceof HandsOff
                && !queue.places().areFair()
                && !LinePlaces.isFair(from.lock())
                && !holders.supersede(from);
        holders.remove(from);
        if (keeps && !exhausted(otherSide)) {
            Handoff handoff = Handoff.toFirst(waiters, queue, release, from, chain.mayGrow());
            if (handoff != null) {
                return Step.handOff(handoff);
            }
            if (shouldDefer(from)) {
                deferred = new DeferredRelease(from, release);
                return Step.NONE;
            }
        }
        noteRelease();
        return Step.send(release);
    }

    private void perform(Step step) {
        Handoff handoff = step.handoff();
        if (handoff != null) {
            queue.trampoline().start(handoff);
        }
        Release release = step.send();
        if (release != null) {
            release.sendItself();
        }
    }

    /**
     * {@return whether the queue is empty only for the moment, not counting a waiter whose attempt is in flight} An
     * owner whose release is answered can acquire again; when the connection is lost, no release will be answered. A
     * lease that is about to run out is not kept for these owners.
     */
    private boolean shouldDefer(Hold from) {
        return hadSeveralWaiters
                && deferred == null
                && queue.earlyStart().isAllowed(from, from.lock())
                && queue.head().noOtherWaits()
                && chain.isCommitInFlight()
                && !queue.isClosing();
    }

    /**
     * A waiter joined, or an attempt found the lock busy: if the release is deferred, the lock is handed off.
     *
     * @return whether the lock was released instead, and not because the budget is exhausted, so that the waiter should
     *     attempt
     */
    boolean onWaiterArrived() {
        synchronized (queue) {
            if (deferred == null) {
                return false;
            }
        }
        Step step;
        boolean otherSide = local.isOtherSideWanted();
        synchronized (queue) {
            step = decideOnArrival(otherSide);
        }
        perform(step);
        return step.attempt();
    }

    private Step decideOnArrival(boolean otherSide) {
        DeferredRelease pending = deferred;
        if (pending == null) {
            return Step.NONE;
        }
        deferred = null;
        boolean exhausted = exhausted(otherSide);
        if (!exhausted && holders.isEmpty() && !queue.places().areFair()) {
            Handoff handoff = Handoff.toFirst(waiters, queue, pending.release, pending.from, chain.mayGrow());
            if (handoff != null) {
                return Step.handOff(handoff);
            }
        }
        noteRelease();
        return new Step(null, pending.release, !exhausted);
    }

    /** No waiter joined, or none is to be expected any more: sends the release if it is deferred. */
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

    /**
     * {@return whether the budget is exhausted} Under the monitor.
     *
     * @param otherSide whether owners of this client wait for the other side of the lock: they are others to this one
     */
    private boolean exhausted(boolean otherSide) {
        return budget.exhausted(
                queue.session().now(),
                otherSide ? Math.max(1, remote.others()) : remote.others(),
                queue.head().subscription().isListening());
    }

    /** A handoff was refused or may not have arrived: the lock is released after all. */
    void released() {
        synchronized (queue) {
            noteRelease();
        }
    }

    /** The lock is being released. Under the monitor. */
    private void noteRelease() {
        budget.end(queue.session().now());
        queue.head().expectMessage();
        hadSeveralWaiters = false;
    }

    /**
     * A handoff was answered. If no other is unanswered, each owner that has released the lock acquires again within
     * {@link #DEFERRAL}, or does not want it.
     */
    void answered() {
        DeferredRelease pending;
        synchronized (queue) {
            pending = chain.isEmpty() ? deferred : null;
        }
        if (pending != null) {
            queue.session().after(DEFERRAL, () -> flushDeferred(pending));
        }
    }

    /** A waiter has joined the queue. Under the monitor. */
    void joined() {
        hadSeveralWaiters |= waiters.size() > 1;
    }

    /**
     * The owner of this hold no longer has the lock, and no message of a release will arrive: the next waiter attempts.
     */
    void gone(Hold hold) {
        boolean known;
        synchronized (queue) {
            known = holders.remove(hold);
        }
        if (known) {
            queue.head().wake();
            queue.retireUnlessWanted();
        }
    }

    /** The client is closed: no handoff will be answered, and no release sent any more. */
    void abandon() {
        List<Handoff> abandoned;
        synchronized (queue) {
            holders.clear();
            abandoned = unanswered.removeAll();
        }
        abandoned.forEach(Handoff::abandon);
        queue.retireUnlessWanted();
    }
}
