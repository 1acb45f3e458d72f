package dev.holdfast.internal.acquire;

import dev.holdfast.LockException;
import dev.holdfast.WaitOutcome;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.ReadKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.report.EventPublisher;
import dev.holdfast.internal.wait.Busy;
import dev.holdfast.internal.wait.JoinedQueue;
import dev.holdfast.internal.wait.LockWaiter;
import dev.holdfast.internal.wait.QueuedWaiters;
import dev.holdfast.internal.wait.WaitQueue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request for a lock, from its first attempt until its outcome is known.
 *
 * <pre>
 *             an attempt was granted, and the caller still wants it
 *   PENDING ----------------------------------------------------------> GRANTED
 *      |  \---- busy, and the wait is over ----------------------------> REFUSED
 *      |   \--- Redis failed, refused or did not answer; closed -------> FAILED
 *      +------- interrupt, or the caller's future was completed -------> ABANDONED
 * </pre>
 *
 * <p>Exactly one of these happens, by compare-and-set in {@link #end}. Where a pending acquisition currently is does
 * not concern it: it has an {@link Attempt} in its lane, or a place in the lock's {@link WaitQueue}. A grant by Redis
 * to an acquisition that is no longer pending is released again.
 *
 * @see "AcquisitionOrdersTest, GivenUpTest, BlockingAcquisitionTest"
 */
public abstract class Acquisition extends TimedWait {

    public enum State {
        PENDING,
        GRANTED,
        REFUSED,
        FAILED,
        ABANDONED
    }

    private static final AtomicReferenceFieldUpdater<Acquisition, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Acquisition.class, State.class, "state");

    private final Acquisitions all;
    private final LockKey lock;
    private final long ownerId;
    private final Ownership ownership;
    private final LeaseRequest lease;

    /** How much of the lock it acquires, if it does not re-enter. */
    final int amount;

    /** That of its lock. */
    final Kind kind;

    /** Where it joins the other readers; null if it is to have a hold of its own. */
    final @Nullable ReadSides readers;

    private volatile State state = State.PENDING;

    /** The queue it waits in, or waited in. */
    private volatile @Nullable JoinedQueue queue;

    /** Written before the state leaves PENDING, by the thread that is about to attempt that. */
    private volatile @Nullable Hold hold;

    /** The hold of its owner that its last command was to re-enter; null if there was none. Written by the running attempt. */
    volatile @Nullable Hold entering;

    /** Its level of the {@link #hold}; written with that. */
    private volatile long level;

    /** Its owner's lane, pinned for as long as it is pending. Written before it is begun. */
    private @Nullable OwnerLane lane;

    private volatile @Nullable RuntimeException failure;

    /** Whether it failed since Redis did not answer; written before the state. */
    private volatile boolean unanswered;

    /** The next acquisition of the same owner in the {@link QueuedWaiters}. Guarded by the queue. */
    private @Nullable LockWaiter nextOfOwner;

    public Acquisition(Acquisitions all, AcquireRequest wanted) {
        super(all.session(), wanted);
        this.all = all;
        this.lock = wanted.lock();
        this.ownerId = wanted.ownerId();
        this.ownership = wanted.ownership();
        this.lease = wanted.lease();
        this.amount = wanted.amount();
        this.kind = lock.kind();
        this.readers = kind instanceof ReadKind && ownership != Ownership.GROUP ? all.readers() : null;
    }

    /** {@return the id of the thread that is blocked until it has ended; 0 if none is} */
    long callerId() {
        return 0;
    }

    /** Called once, when it has ended, on a thread that must not be blocked. */
    protected abstract void onSettled(State how);

    final Acquisitions all() {
        return all;
    }

    final LockKey lock() {
        return lock;
    }

    @Override
    public final long ownerId() {
        return ownerId;
    }

    @Override
    public final Ownership ownership() {
        return ownership;
    }

    @Override
    public final LeaseRequest lease() {
        return lease;
    }

    /** The acquisition is about to begin, in this lane, which was pinned for it. */
    final void pinned(OwnerLane ofOwner) {
        lane = ofOwner;
    }

    @Override
    public final OwnerLane lane() {
        OwnerLane known = lane;
        if (known == null) {
            throw new IllegalStateException("an acquisition has a lane before it begins");
        }
        return known;
    }

    @Override
    public final boolean isPending() {
        return state == State.PENDING;
    }

    @Override
    public final boolean isGranted() {
        return state == State.GRANTED;
    }

    /** A retired lane does not take the attempt: the acquisition has ended then. */
    @Override
    public final void attempt() {
        OwnerLane own = lane();
        own.submit(readers == null ? new Attempt(own, this) : new ReadAttempt(own, this, readers));
    }

    final State state() {
        return state;
    }

    final @Nullable Hold hold() {
        return hold;
    }

    /** {@return the number of its level of the hold} */
    final long level() {
        return level;
    }

    final @Nullable RuntimeException failure() {
        return failure;
    }

    /** {@return whether it failed since Redis did not answer} */
    final boolean isUnanswered() {
        return unanswered;
    }

    @Override
    public final void queuedIn(@Nullable JoinedQueue where) {
        queue = where;
    }

    @Override
    public final @Nullable LockWaiter nextOfOwner() {
        return nextOfOwner;
    }

    @Override
    public final void setNextOfOwner(@Nullable LockWaiter next) {
        nextOfOwner = next;
    }

    @Override
    public final boolean grant(Hold granted) {
        if (session().admission().refuses(entering == granted)) {
            close();
        }
        level = granted.newestLevel();
        hold = granted;
        JoinedQueue current = contended();
        if (current != null) {
            current.granting(this, granted);
        }
        return end(State.GRANTED, null);
    }

    @Override
    public final void notifyGranted() {
        JoinedQueue current = contended();
        Hold granted = hold;
        if (current != null && granted != null) {
            current.granted(this, granted);
        }
        onSettled(State.GRANTED);
    }

    private @Nullable JoinedQueue contended() {
        JoinedQueue current = queue;
        return current == null && readers == null && lane().local().successors() instanceof WaitQueue waiting
                ? waiting
                : current;
    }

    /** {@return whose place in the line of clients the attempt that is about to be sent asks for; null if it asks for none} */
    final Enlists.@Nullable Unit asksForPlace() {
        JoinedQueue current = queue;
        return current == null ? null : current.asksForPlace(this);
    }

    /**
     * Has the call of a first acquire be sent together with those of other locks.
     *
     * @return false if it is to be sent by itself
     */
    boolean sendsJointly(Home home, Claim claim, Call call) {
        return false;
    }

    /** The lock was not acquired because of another one that was to be acquired by the same command: it may be free. */
    void heldBack() {
        throw new IllegalStateException("not sent together with others: " + this);
    }

    /** {@return whether it is published if it is refused: not if its caller waits, or the lock was not found busy} */
    boolean publishesBusy() {
        return true;
    }

    /** An attempt found the lock busy. */
    final void busy(Busy found) {
        noteBusy();
        JoinedQueue current = queue;
        if (current != null) {
            current.busy(this, found);
        } else if (!waits()) {
            refuse();
        } else if (session().admission().isClosing()) {
            close();
        } else if (isPending()) {
            all.queues().join(lane().local(), this, found.leftMillis());
        }
    }

    /** An attempt failed for good; the attempts of all other waiters for this lock would fail, too. */
    final void fail(RuntimeException why) {
        JoinedQueue current = queue;
        if (current != null) {
            current.failed(this, why);
        }
        end(State.FAILED, why);
    }

    @Override
    public final void failAlone(RuntimeException why) {
        end(State.FAILED, why);
    }

    /** It was granted, and the lease that it wanted has run out by now. */
    final void failTooLate() {
        failAlone(session().exceptions().grantedTooLate(lock, ownerId, lease.millis()));
    }

    /**
     * An attempt had no reply within the command timeout. An acquisition with a deadline keeps attempting until then.
     */
    final void noAnswer(@Nullable Throwable cause) {
        boolean triesOn = hasDeadline() && deadlineNanos() - session().now() > 0 && !isTurnedAway();
        JoinedQueue current = queue;
        if (current != null) {
            current.silent(this, cause);
        } else if (triesOn && isPending()) {
            attempt();
        }
        if (isTurnedAway()) {
            close();
        } else if (!triesOn) {
            unanswered(cause);
        }
    }

    /**
     * {@return whether the client's close ends it} An acquisition whose command was to re-enter a hold continues until
     * the grace period is over.
     */
    private boolean isTurnedAway() {
        return session().admission().refuses(entering != null);
    }

    /**
     * An attempt was inconclusive, for this reason, and is repeated; if the wait ends before, this reason is reported.
     */
    final void troubled(@Nullable Throwable cause) {
        noteTrouble(cause);
        JoinedQueue current = queue;
        if (current != null) {
            current.troubled(cause);
        }
    }

    /**
     * The caller no longer wants the lock. Returns false if the acquisition had ended before, and may have the lock.
     */
    final boolean abandon() {
        return end(State.ABANDONED, null);
    }

    /** The caller does not receive the lock: gives the acquisition up, or releases the level that it was granted. */
    public final void decline() {
        if (abandon()) {
            return;
        }
        Hold granted = hold; // written before the state that abandon has found
        if (state == State.GRANTED && granted != null) {
            Release.beginUnwanted(granted, level);
        }
    }

    @Override
    public final void failUnanswered(RuntimeException why) {
        unanswered = true;
        end(State.FAILED, why);
    }

    @Override
    public final void close() {
        end(State.FAILED, session().exceptions().closedWhileWaiting(lock, ownerId));
    }

    @Override
    final void refuse() {
        end(State.REFUSED, null);
    }

    @Override
    final void unanswered(@Nullable Throwable cause) {
        failUnanswered(noAnswerSince(cause));
    }

    @Override
    final @Nullable JoinedQueue queue() {
        return queue;
    }

    /** There has been no connection for so long that a call without a wait does not wait for the next one. */
    final void unconnected(Outage outage) {
        failUnanswered(session().exceptions().notConnected(lock, ownerId, outage));
    }

    private LockException noAnswerSince(@Nullable Throwable cause) {
        Throwable why = cause == null ? lane().home().whyDown() : cause;
        return session().exceptions().noAnswer(lock, ownerId, session().now() - startNanos(), why);
    }

    private boolean end(State how, @Nullable RuntimeException why) {
        if (why != null) {
            failure = why;
        }
        if (!leavePending(how)) {
            return false;
        }
        lane().rest();
        disarmDeadline();
        JoinedQueue current = queue;
        if (readers != null) {
            readers.leave(this);
        } else if (current != null && how != State.GRANTED) {
            current.leave(this);
        }
        publish(how, current != null && (readers == null || lastBusyNanos() - startNanos() >= 0));
        if (how != State.GRANTED) {
            onSettled(how);
        }
        return true;
    }

    /** @param queued whether it waited in the queue: a reader does so for the reply to the attempt of its group, too */
    private void publish(State how, boolean queued) {
        if (ownership == Ownership.GROUP) {
            return;
        }
        EventPublisher events = session().events();
        switch (how) {
            case PENDING -> throw new IllegalStateException("an acquisition that is pending has not ended");
            case GRANTED -> {
                if (queued) {
                    events.waited(lock, ownerId, startNanos(), WaitOutcome.GRANTED);
                }
            }
            case REFUSED -> {
                if (waits()) {
                    events.waited(lock, ownerId, startNanos(), WaitOutcome.TIMED_OUT);
                } else if (publishesBusy()) {
                    events.busy(lock, ownerId, startNanos());
                }
            }
            case ABANDONED -> events.waited(lock, ownerId, startNanos(), WaitOutcome.ABANDONED);
            case FAILED -> {
                if (entering == null) {
                    events.countFailed();
                }
                if (queued) {
                    events.waited(lock, ownerId, startNanos(), WaitOutcome.FAILED);
                }
                events.failed(lock, ownerId, startNanos(), failure);
            }
        }
    }

    /**
     * Removes the pin together with the state change: a thread that sees that the acquisition has ended does not find
     * it in its lane any more.
     */
    private boolean leavePending(State how) {
        OwnerLane own = lane();
        synchronized (own) {
            boolean left = STATE.compareAndSet(this, State.PENDING, how);
            if (left) {
                own.unpin();
            }
            return left;
        }
    }
}
