package dev.holdfast.internal.wait;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.hold.Successors;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of one client that wait for one lock, first come, first served. Only the head of the queue sends
 * commands to Redis, so the load of a contended lock grows with the number of clients, not with the number of waiting
 * threads. While an owner of this client holds the lock, no waiter sends any: the lock is passed among the owners of
 * this client by {@linkplain Handoff handoff}.
 *
 * <p>{@link QueueLife} has the states of a queue, {@link QueueSubscription} those of its subscription. {@link QueueHead}
 * describes how the waiters are woken when the lock is free, {@link Cohort} what happens while this client holds it. No
 * waiter is forgotten between these two: while the
 * <em>holder</em> is an owner of this client, a waiter that joins waits for it without an attempt of its own. The holder
 * leaves that role only by {@link Cohort#handOff}, which hands the lock off, or else has it released with a message
 * that this queue receives; or by {@link Cohort#gone}, which makes the head attempt.
 *
 * <p>After a grant of an exclusive lock to the head the next waiter does not attempt: the lock is known to be held, by
 * an owner of this very client. So each wake-up costs one command. If several owners can have the lock, one message may
 * announce room for more than one of them: so the next waiter attempts, until one finds the lock busy.
 *
 * <p>The queue is <em>fair</em> from the first waiter for a fair lock on, until it is empty: then the lock is not handed
 * off, and each owner, of whichever kind its lock is, waits in the line of all clients, as {@link LinePlaces} describes.
 *
 * <p>A retired queue is no longer that of its lock and accepts no waiter. The queue's monitor is held for a few
 * instructions; no command is sent and no callback is run under it. The monitors of lanes and of the {@link LocalLock}
 * may be acquired within it, never the other way round.
 *
 * @see "WaitQueueOrdersTest, QueuedWaitersTest, MovedQueueTest"
 */
public final class WaitQueue implements Successors, JoinedQueue {
    private final WaitQueues queues;
    private final LocalLock local;

    // All below is guarded by this.
    private final QueueLife life;
    private final QueuedWaiters waiters = new QueuedWaiters();
    private final LinePlaces places = new LinePlaces(waiters);
    private final Cohort cohort;
    private final QueueHead head;
    private final ClientLine clientLine;
    private long busyNanos;

    /** What runs when a waiter may have got a place, or wants none any more; null if nothing does. Written under the monitor. */
    private volatile @Nullable Runnable placeAwaited;

    /** Why the last attempt was inconclusive; null if it was not. */
    private @Nullable Throwable trouble;

    public WaitQueue(WaitQueues queues, LocalLock local) {
        this.queues = queues;
        this.local = local;
        this.life = new QueueLife(queues.session());
        this.cohort = new Cohort(this, local, waiters);
        this.clientLine = new ClientLine(this, local, places, cohort);
        this.head = new QueueHead(this, waiters, places, cohort.budget(), clientLine);
    }

    Session session() {
        return queues.session();
    }

    LocalLock local() {
        return local;
    }

    LockKey lock() {
        return local.key();
    }

    Trampoline trampoline() {
        return queues.trampoline();
    }

    /** {@return the home of the lock at present} */
    Home home() {
        return queues.home(local.key());
    }

    QueueHead head() {
        return head;
    }

    /** {@return the places of its waiters in line} Under the monitor. */
    LinePlaces places() {
        return places;
    }

    /** {@return its waiters, which are guarded by its monitor} */
    QueuedWaiters waiters() {
        return waiters;
    }

    /** {@return the rule of its present node's handoffs for starting before the reply} */
    EarlyStart earlyStart() {
        return new EarlyStart(session(), home());
    }

    /**
     * The lock has moved to another node. The handoffs that the former one has left unanswered are committed there, the
     * queue listens there from now on, and the first waiter attempts.
     */
    void moved() {
        commitHandoffs();
        clientLine.moved();
        head.subscription().moved();
    }

    /** {@return the state of the lock while this client holds it} */
    public Cohort cohort() {
        return cohort;
    }

    // --- Joining.

    /** Adds an acquisition that has just found the lock busy. Returns false if the queue is retired. */
    boolean join(LockWaiter waiter, long leftMillis) {
        synchronized (this) {
            if (life.isRetired()) {
                return false;
            }
            busyNanos = session().now();
            add(waiter);
        }
        clientLine.open(waiter);
        head.subscription().open();
        if (cohort.onWaiterArrived()) {
            head.wake();
        } else {
            head.listen(leftMillis, null);
            clientLine.joined();
        }
        leaveIfEnded(waiter);
        return true;
    }

    /**
     * Adds an acquisition that has made no attempt yet. It attempts now if it has no other owner to wait for.
     *
     * @return false if the queue is retired; or if the lock may be free and the queue either has no subscription, or
     *     backs off for longer than the acquisition waits
     */
    public boolean joinUntried(LockWaiter waiter) {
        boolean opens;
        boolean tries;
        boolean backsOff;
        synchronized (this) {
            boolean free = waiters.isEmpty() && !cohort.isHeldByAnother(waiter.ownerId());
            opens = !head.subscription().isOpened();
            backsOff =
                    waiters.isEmpty() && cohort.budget().delaysArrival(session().now());
            if (backsOff && !waiter.waitsLongerThan(CohortBudget.BACKOFF)) {
                return false;
            }
            if (life.isRetired() || (free && opens && !backsOff)) {
                return false;
            }
            tries = free && !backsOff;
            add(waiter);
        }
        clientLine.openFairly(waiter);
        if (opens) {
            head.subscription().open();
        }
        if (cohort.onWaiterArrived() || tries) {
            head.wake();
        } else if (backsOff) {
            head.backOff();
        } else {
            head.listen(Long.MAX_VALUE, null);
            clientLine.joinedFairly();
        }
        leaveIfEnded(waiter);
        return true;
    }

    private void add(LockWaiter waiter) {
        places.joining(waiter);
        waiters.add(waiter);
        cohort.joined();
        waiter.queuedIn(this);
    }

    /** An acquisition that ended just before it was added found no queue to leave. */
    private void leaveIfEnded(LockWaiter waiter) {
        if (!waiter.isPending()) {
            leave(waiter);
        }
    }

    // --- Outcomes of an attempt.

    @Override
    public void busy(LockWaiter tried, Busy found) {
        long listenMillis;
        boolean replaced;
        synchronized (this) {
            busyNanos = session().now();
            trouble = null;
            if (!cohort.isHeldByAnother(tried.ownerId())) {
                cohort.budget().lost();
            }
            replaced = !head.isTrying(tried);
            listenMillis = replaced ? clientLine.answeredTooLate(tried, found) : clientLine.answered(tried, found);
        }
        if (replaced && found.isInLine()) {
            OrphanRelease.begin(local, tried.lane().lock(), tried.ownerId(), found.tenure());
        }
        head.listen(listenMillis, tried);
        if (cohort.onWaiterArrived()) {
            head.wake();
        }
        if (replaced) {
            clientLine.joinedFairly();
            // If it has made the deferred release be sent, that may have been the last thing to do.
            retireUnlessWanted();
        } else {
            clientLine.afterBusy(tried, found);
        }
        if (placeAwaited != null) {
            placesChanged();
        }
    }

    @Override
    public synchronized Enlists.@Nullable Unit asksForPlace(LockWaiter tries) {
        return head.isTrying(tries) && clientLine.isReady() ? places.ask() : null;
    }

    @Override
    public synchronized void troubled(@Nullable Throwable cause) {
        trouble = cause;
    }

    @Override
    public synchronized @Nullable Throwable trouble() {
        return trouble;
    }

    /** Redis has proved that the lock is held. */
    synchronized void noteBusy() {
        busyNanos = session().now();
    }

    @Override
    public void granting(LockWaiter winner, Hold hold) {
        Hold displaced;
        synchronized (this) {
            if (life.isRetired()) {
                return;
            }
            waiters.remove(winner);
            clientLine.granting(winner, hold);
            displaced = cohort.begin(hold);
            if (!hold.isHandedOff()) {
                busyNanos = session().now();
            }
        }
        if (displaced != null) {
            displaced.lease().expireIfDue();
            displaced.lose(LossReason.TAKEN);
        }
        if (!hold.lease().isRunning()) {
            cohort.gone(hold);
        }
        if (placeAwaited != null) {
            placesChanged();
        }
    }

    @Override
    public void granted(LockWaiter winner, Hold hold) {
        List<LockWaiter> ofSameOwner;
        synchronized (this) {
            ofSameOwner = waiters.takeAllOf(winner.ownerId(), head.trying());
        }
        for (LockWaiter entry : ofSameOwner) {
            entry.queuedIn(null);
            entry.attempt();
        }
        if (hold.lock().kind().admitsSeveral()) {
            head.tryNext(winner);
        } else {
            head.listen(TimeUnit.NANOSECONDS.toMillis(hold.lease().remainingNanos()) + 1, winner);
        }
        clientLine.joinedFairly();
        if (hold.loss() != null) {
            head.wake();
        }
    }

    @Override
    public void refresh(long now) {
        if (now - busyNanos() > session().commandTimeoutNanos() / 2) {
            head.wake();
        }
    }

    @Override
    public void failed(LockWaiter tried, RuntimeException why) {
        failures().failed(tried, why);
    }

    @Override
    public void silent(LockWaiter tried, @Nullable Throwable cause) {
        failures().silent(tried, cause);
    }

    SharedFailures failures() {
        return new SharedFailures(this, waiters);
    }

    // --- The lock is released, or lost.

    @Override
    public boolean handOff(Hold from, Release release) {
        return cohort.handOff(from, release);
    }

    @Override
    public void released(Publication message) {
        clientLine.released(message);
    }

    @Override
    public synchronized boolean releasing(long ownerId, long orphaned) {
        return clientLine.releasing(ownerId, orphaned);
    }

    @Override
    public @Nullable CompletableFuture<@Nullable Void> unansweredHandoff(long ownerId) {
        Handoff latest = cohort.unanswered().latestFrom(ownerId);
        return latest == null ? null : latest.outcome();
    }

    @Override
    public synchronized boolean knowsOfLine() {
        return clientLine.isListening();
    }

    @Override
    public void gone(Hold holder) {
        cohort.gone(holder);
    }

    @Override
    public Home commitHandoffs() {
        return cohort.unanswered().commitAll();
    }

    @Override
    public void wake() {
        head.wake();
    }

    // --- Leaving.

    @Override
    public void leave(LockWaiter gone) {
        long inLine;
        boolean othersWait;
        QueueHead.Step next;
        synchronized (this) {
            waiters.remove(gone);
            inLine = clientLine.leave(gone);
            othersWait = !waiters.isEmpty();
            // At once: a reply to the attempt that gives it a place would find nobody who gives that up.
            next = head.replaceAttempt(gone);
        }
        head.perform(next);
        retireUnlessWanted();
        clientLine.afterLeave(gone, inLine, othersWait);
        if (placeAwaited != null) {
            placesChanged();
        }
    }

    /** The client is being closed. */
    void close() {
        synchronized (this) {
            life.close();
        }
        cohort.flushDeferred();
        takeAll().forEach(LockWaiter::close);
    }

    /**
     * The channels of a home are closed, which this queue has listened to or was about to: either the client is being
     * closed, or the lock has moved to another home, and {@link #moved} follows.
     */
    void channelsClosed(@Nullable Home of) {
        if (home() == of) {
            close();
        }
    }

    List<LockWaiter> takeAll() {
        List<LockWaiter> all;
        synchronized (this) {
            all = waiters.take(entry -> true);
        }
        retireUnlessWanted();
        return all;
    }

    void replaceAttempt(LockWaiter gone) {
        QueueHead.Step next;
        synchronized (this) {
            next = head.replaceAttempt(gone);
        }
        head.perform(next);
        retireUnlessWanted();
    }

    /** Retires the queue if it has no waiter and nothing left to do; not at once if it may linger. */
    void retireUnlessWanted() {
        Runnable leftover = () -> {};
        synchronized (this) {
            if (isDone() && !life.lingers(this::lingered, clientLine.isListening())) {
                leftover = retire();
            }
        }
        leftover.run();
    }

    private boolean isDone() {
        return !life.isRetired() && waiters.isEmpty() && cohort.isOver();
    }

    private void lingered() {
        Runnable leftover;
        synchronized (this) {
            life.lingered();
            boolean stays = cohort.isContended()
                    && !cohort.budget().isOver(session().now())
                    && life.lingers(this::lingered, clientLine.isListening());
            leftover = isDone() && !stays ? retire() : () -> {};
        }
        leftover.run();
    }

    /** {@return what is to be done outside the monitor} */
    private Runnable retire() {
        life.retire();
        queues.remove(this);
        local.remove(this);
        WakeUpSource.Leftover listening = head.shut();
        Runnable inLine = clientLine.shut();
        return () -> {
            listening.close();
            inLine.run();
        };
    }

    // --- Queries.

    /** {@return whether the client is being closed} Under the monitor. */
    boolean isClosing() {
        return life.isClosing();
    }

    /** {@return whether the queue accepts no acquisition any more} Under the monitor. */
    boolean isRetired() {
        return life.isRetired();
    }

    @Override
    public synchronized long busyNanos() {
        return busyNanos;
    }

    @Override
    public synchronized boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    @Override
    public synchronized boolean awaitPlace(Runnable changed) {
        boolean awaits = !waiters.isEmpty() && clientLine.awaitsPlace();
        placeAwaited = awaits ? changed : null;
        return awaits;
    }

    private void placesChanged() {
        Runnable changed;
        synchronized (this) {
            changed = placeAwaited;
            placeAwaited = null;
        }
        if (changed != null) {
            changed.run();
        }
    }

    synchronized int size() {
        return waiters.size();
    }
}
