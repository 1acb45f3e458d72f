package dev.holdfast.internal.wait;

import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.pubsub.Wakeup;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link WaitQueue} does on behalf of all its waiters: it listens for a wake-up, and has the first waiter
 * attempt when the lock may be free.
 *
 * <pre>
 *             wake: a message, the subscription's confirmation, the end of the holder's lease
 *   LISTENING ---------------------------------------------------------------------> TRYING
 *    |     ^                                                                          |  |
 *    |     +---------------------- busy ----------------------------------------------+  |
 *    | woken, but the queue is empty      granted to the head, and the lock is exclusive |
 *    v                                                                                   v
 *   RESTING <----------------------------------------------------------------------------+
 *       \---- the queue is not empty, or a waiter joins ---> LISTENING, or TRYING if there is no owner to wait for
 * </pre>
 *
 * <p>What keeps a wake-up from being lost:
 *
 * <ul>
 *   <li>The subscription's confirmation wakes the head, so the lock is attempted again after it, and a release in
 *       between is noticed. The same holds for each confirmation after a lost connection.
 *   <li>Stored permits are drained before an attempt is sent, never after: a message or a confirmation that arrives
 *       while the attempt is in flight is still there when the attempt turns out busy.
 *   <li>The subscription belongs to the queue, not to a waiter. A waiter that leaves takes no permit with it, and the
 *       next one needs no new attempt, except when the leaver's own attempt was in flight: the reply to that is
 *       discarded.
 *   <li>A wake-up that arrives while the queue is empty is kept, since an acquisition may be about to join with a reply
 *       that is older. So is the wake-up of the last waiter in the queue, if that waiter leaves before its attempt is
 *       answered.
 *   <li>A message wakes no head of permits that stands in line: these are granted down the line, and only what nobody there
 *       wants is left free. It may have been published before the head got its place.
 *   <li>The end of the holder's lease wakes the head as well, so a message that was never sent delays the waiters no
 *       longer than the lease.
 * </ul>
 *
 * <p>Shares the monitor of its queue.
 *
 * @see "QueueHeadOrdersTest, LostWakeUpTest"
 */
final class QueueHead implements QueueSubscription.Subscriber {

    private enum Phase {
        RESTING,
        LISTENING,
        TRYING
    }

    /**
     * What a change of the state requires; it is decided under the monitor and done outside it.
     *
     * @param open what the waiter leaves and the attempt drains
     * @param leaves the waiter that does not listen any more
     * @param attempts the head, if it is to attempt
     * @param backsOff whether the head backs off instead
     */
    record Step(
            @Nullable Subscription open,
            @Nullable Waiter leaves,
            @Nullable LockWaiter attempts,
            boolean backsOff) {
        static final Step NONE = new Step(null, null, null, false);

        /** {@return an attempt in place of one that is over: what has arrived since may announce more, and is kept} */
        static Step attempt(LockWaiter head) {
            return new Step(null, null, head, false);
        }
    }

    private final WaitQueue queue;
    // All below is guarded by the queue.
    private final QueuedWaiters waiters;
    private final LinePlaces places;
    private final CohortBudget budget;
    private final ClientLine line;
    private final WakeUpSource wakeUps;
    private final QueueSubscription subscription;
    private Phase phase = Phase.RESTING;
    private @Nullable LockWaiter trying;

    /**
     * Whether a woken waiter left before its attempt was answered, and there was no other waiter to attempt instead.
     */
    private boolean attemptOwed;

    QueueHead(WaitQueue queue, QueuedWaiters waiters, LinePlaces places, CohortBudget budget, ClientLine line) {
        Session session = queue.session();
        this.queue = queue;
        this.waiters = waiters;
        this.places = places;
        this.budget = budget;
        this.line = line;
        this.wakeUps =
                new WakeUpSource(session.deadlines(), session.watchdogTimeout().toNanos(), this::wake);
        this.subscription = new QueueSubscription(queue, session, queue.lock().channel(), wakeUps, this);
    }

    QueueSubscription subscription() {
        return subscription;
    }

    // --- Under the monitor.

    boolean isTrying(LockWaiter acquisition) {
        return trying == acquisition;
    }

    /** {@return whether the queue is empty, or has only the waiter whose attempt is in flight} */
    boolean noOtherWaits() {
        return waiters.isEmpty() || (trying != null && waiters.size() == 1);
    }

    @Nullable
    LockWaiter trying() {
        return trying;
    }

    /** {@return what is to be closed, outside the monitor} Stops listening for good. */
    WakeUpSource.Leftover shut() {
        trying = null;
        phase = Phase.RESTING;
        return wakeUps.shut();
    }

    @Override
    public void silenced() {
        if (phase == Phase.LISTENING) {
            phase = Phase.RESTING;
        }
    }

    /** This client is about to release the lock: the head is woken even if the message cannot be received. */
    void expectMessage() {
        wakeUps.expectMessage();
    }

    /** The lock may be free by this time: the head is woken then at the latest. */
    void expectBy(long nanoTime) {
        wakeUps.wakeBy(nanoTime);
    }

    /** Makes the first waiter in the queue the one that attempts; if it is fair, the first without a place. */
    private LockWaiter tryFirst() {
        LockWaiter without = places.areFair() && line.isReady() ? places.firstWithout() : null;
        LockWaiter head = without == null ? waiters.firsts().next() : without;
        phase = Phase.TRYING;
        trying = head;
        attemptOwed = false;
        return head;
    }

    @Override
    public boolean isRetired() {
        return queue.isRetired();
    }

    // --- Outside the monitor.

    @Override
    public Home home() {
        return queue.home();
    }

    @Override
    public boolean hasWaiters() {
        synchronized (queue) {
            return !queue.isRetired() && !queue.isClosing() && !waiters.isEmpty();
        }
    }

    @Override
    public void cannotListen(Throwable refusal) {
        queue.failures().cannotListen(refusal);
    }

    @Override
    public void channelsClosed(@Nullable Home of) {
        queue.channelsClosed(of);
    }

    /**
     * Waits for a message, or for the end of the holder's lease.
     *
     * @param leftMillis what is left of the holder's lease
     * @param after the acquisition whose attempt has ended, and left the others waiting; null if the head was resting.
     *     If the head's state no longer matches, the call does nothing
     */
    void listen(long leftMillis, @Nullable LockWaiter after) {
        Waiter waiter;
        Subscription unconfirmed;
        Home home;
        boolean owed;
        synchronized (queue) {
            if (after == null ? phase != Phase.RESTING : trying != after) {
                return;
            }
            phase = Phase.RESTING;
            trying = null;
            waiter = waiters.isEmpty() ? null : wakeUps.listen(leftMillis);
            if (waiter == null) {
                return;
            }
            phase = Phase.LISTENING;
            home = subscription.home();
            owed = attemptOwed;
            unconfirmed = subscription.takeUnconfirmed();
        }
        if (unconfirmed != null) {
            subscription.awaitConfirmation(unconfirmed);
        }
        await(waiter, home);
        if (owed) {
            wake();
        }
    }

    private void await(Waiter waiter, @Nullable Home home) {
        waiter.onWakeup((wakeup, end) -> {
            if (end == null) {
                woken(waiter, home, wakeup == Wakeup.PERMIT);
            } else {
                queue.channelsClosed(home);
            }
        });
    }

    /**
     * The subscription has woken this waiter.
     *
     * @param byRelease whether by a message; false for a confirmation
     */
    private void woken(Waiter waiter, @Nullable Home home, boolean byRelease) {
        Step next = Step.NONE;
        Waiter again = null;
        synchronized (queue) {
            if (byRelease && isServedInLine() && wakeUps.listensBy(waiter)) {
                again = wakeUps.listenAgain();
            }
            if (again == null) {
                next = afterWakeup(waiter, byRelease);
            }
        }
        if (again == null) {
            perform(next);
        } else {
            await(again, home);
        }
    }

    /** {@return whether the head has a place in a line that is served first: what is left free then is not for it} */
    private boolean isServedInLine() {
        return Enlists.waitBesideHolders(queue.lock()) && !places.isWanted();
    }

    private Step afterWakeup(Waiter waiter, boolean byRelease) {
        Subscription open = wakeUps.subscription();
        if (phase != Phase.LISTENING || !wakeUps.listensBy(waiter)) {
            return new Step(open, waiter, null, false);
        }
        Waiter unused = wakeUps.rest(waiter);
        phase = Phase.RESTING;
        if (waiters.isEmpty()) {
            return new Step(open, waiter, null, false);
        }
        boolean skips = byRelease ? budget.messageReceived() == CohortBudget.Reaction.SKIP : budget.backsOff();
        return new Step(open, unused, skips ? null : tryFirst(), skips);
    }

    /** The lock may be free, regardless of messages: the first waiter attempts. */
    @Override
    public void wake() {
        Step next;
        synchronized (queue) {
            next = afterWake();
        }
        perform(next);
    }

    private Step afterWake() {
        Subscription open = wakeUps.subscription();
        if (open == null || phase == Phase.TRYING) {
            return Step.NONE;
        }
        Waiter unused = wakeUps.rest(null);
        phase = Phase.RESTING;
        return new Step(open, unused, waiters.isEmpty() ? null : tryFirst(), false);
    }

    /**
     * A release has granted the lock to this waiter: while it starts, no other attempts, unless the queue is fair.
     *
     * @return false if it is not the first in the queue, or an attempt is in flight, and the queue is not fair
     */
    boolean beginGrant(LockWaiter to) {
        Step next;
        synchronized (queue) {
            if (places.areFair()) {
                return true;
            }
            boolean isFirst = !waiters.isEmpty() && waiters.firsts().next() == to;
            if (!isFirst || phase == Phase.TRYING) {
                return false;
            }
            next = new Step(wakeUps.subscription(), wakeUps.rest(null), null, false);
            tryFirst();
        }
        perform(next);
        return true;
    }

    /** This acquisition was granted a lock that more owners can have: the next waiter attempts. */
    void tryNext(LockWaiter granted) {
        Step next = Step.NONE;
        synchronized (queue) {
            if (trying == granted) {
                next = afterAttempt();
            }
        }
        perform(next);
    }

    /**
     * If the attempt in flight is that of this acquisition, its reply is discarded, and the first waiter in the queue
     * attempts instead. Under the monitor, in which that one has left.
     *
     * @return what is to be performed outside
     */
    Step replaceAttempt(LockWaiter gone) {
        if (trying != gone) {
            return Step.NONE;
        }
        attemptOwed = waiters.isEmpty();
        return afterAttempt();
    }

    private Step afterAttempt() {
        trying = null;
        phase = Phase.RESTING;
        return waiters.isEmpty() ? Step.NONE : Step.attempt(tryFirst());
    }

    void perform(Step step) {
        Subscription open = step.open();
        if (open != null && step.leaves() != null) {
            open.leave(step.leaves());
        }
        if (step.backsOff()) {
            backOff();
        }
        LockWaiter head = step.attempts();
        if (head != null) {
            if (open != null) {
                open.drain();
            }
            head.attempt();
        }
    }

    /** Backs off for {@link CohortBudget#BACKOFF} so that other clients try first. */
    void backOff() {
        listen(Long.MAX_VALUE, null);
        queue.session().after(CohortBudget.BACKOFF, this::retryAfterBackOff);
    }

    /** If another client has the lock by now, the attempt finds it busy. */
    private void retryAfterBackOff() {
        synchronized (queue) {
            if (!budget.backsOff()) {
                return;
            }
        }
        wake();
    }
}
