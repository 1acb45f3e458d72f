package dev.holdfast;

import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call that wants a lock, from its first try until it is told what became of it.
 *
 * <pre>
 *             an attempt was granted, and the caller still wants it
 *   PENDING ----------------------------------------------------------> GRANTED
 *      |  \---- busy, and the wait is over ----------------------------> REFUSED
 *      |   \--- Redis failed, refused or did not answer; closed -------> FAILED
 *      +------- interrupt, or the caller's future was completed -------> ABANDONED
 * </pre>
 *
 * <p>Only one of these happens, by compare-and-set in {@link #end}. Where the acquisition stands while it is pending is
 * not its own affair: an {@link Attempt} in its lane, or a place in the lock's {@link WaitQueue}. What Redis grants to an
 * acquisition that is no longer pending is released again.
 *
 * <p>The end of the wait is a deadline of its own. "Busy" is only said on evidence no older than the command timeout, so
 * an acquisition that waits for long has the queue ask again shortly before.
 */
abstract class Acquisition extends Deadline {

    /** How long an answer that is on its way at the end of the wait is still awaited. */
    static final long GRACE_NANOS = 100_000_000;

    enum State {
        PENDING,
        GRANTED,
        REFUSED,
        FAILED,
        ABANDONED
    }

    private final Engine engine;
    private final LockKey lock;
    private final long ownerId;
    private final Ownership ownership;
    private final LeaseRequest lease;
    private final long waitNanos;
    private final long startNanos;
    private final AtomicReference<State> state = new AtomicReference<>(State.PENDING);

    /** When Redis last said to this acquisition itself that the lock is busy; start - command timeout if never. */
    private volatile long busyNanos;

    /** Why its last try came to nothing. */
    private volatile @Nullable Throwable trouble;

    /** The queue it stands in, or stood in. */
    private volatile @Nullable WaitQueue queue;

    /** Written before the state leaves PENDING, by whoever is about to try that. */
    private volatile @Nullable Hold hold;

    /** The hold of its owner that it was last sent to enter. Written by the running attempt. */
    private volatile @Nullable Hold entering;

    /** Which level of the hold it is; written with it. */
    private volatile int level;

    /** Its owner's, pinned for as long as it is pending. Written before it is begun. */
    private @Nullable OwnerLane lane;

    private volatile @Nullable RuntimeException failure;

    /** The next acquisition of the same owner in the {@link WaiterLine}. Guarded by the queue. */
    private @Nullable Acquisition nextOfOwner;

    Acquisition(Engine engine, AcquireRequest wanted) {
        this.engine = engine;
        this.lock = wanted.lock();
        this.ownerId = wanted.ownerId();
        this.ownership = wanted.ownership();
        this.lease = wanted.lease();
        this.waitNanos = wanted.waitNanos();
        this.startNanos = engine.now();
        this.busyNanos = startNanos - 2 * engine.commandTimeoutNanos();
    }

    /** Called once, when it is settled, by a thread that must not be kept waiting. */
    abstract void onSettled(State how);

    /** {@return the thread whose death ends the hold's renewal; null when none does} */
    abstract @Nullable Thread boundThread();

    /** {@return whether its caller can still decline it when it was granted} Then it calls {@link Hold#decided} once. */
    abstract boolean isHandedOverLater();

    final Engine engine() {
        return engine;
    }

    final LockKey lock() {
        return lock;
    }

    final long ownerId() {
        return ownerId;
    }

    final Ownership ownership() {
        return ownership;
    }

    final LeaseRequest lease() {
        return lease;
    }

    /** It is about to begin, in this lane, which was pinned for it. */
    final void pinned(OwnerLane ofOwner) {
        lane = ofOwner;
    }

    final OwnerLane lane() {
        OwnerLane known = lane;
        if (known == null) {
            throw new IllegalStateException("an acquisition has a lane before it begins");
        }
        return known;
    }

    final long startNanos() {
        return startNanos;
    }

    final boolean waits() {
        return waitNanos > 0;
    }

    final boolean waitsLongerThan(Duration time) {
        return waitsForEver() || deadlineNanos() - engine.now() > time.toNanos();
    }

    final boolean waitsForEver() {
        return waitNanos == AcquireRequest.FOR_EVER;
    }

    final long deadlineNanos() {
        return startNanos + waitNanos;
    }

    final boolean isPending() {
        return state.get() == State.PENDING;
    }

    final State state() {
        return state.get();
    }

    final @Nullable Hold hold() {
        return hold;
    }

    /** {@return the hold it was sent to enter; null if it never was} */
    final @Nullable Hold entering() {
        return entering;
    }

    final void enters(Hold held) {
        entering = held;
    }

    /** {@return which level of the hold this is, of those it had when it was granted} */
    final int level() {
        return level;
    }

    final @Nullable RuntimeException failure() {
        return failure;
    }

    final @Nullable WaitQueue queue() {
        return queue;
    }

    final void queuedIn(@Nullable WaitQueue where) {
        queue = where;
    }

    final @Nullable Acquisition nextOfOwner() {
        return nextOfOwner;
    }

    final void leadsTo(@Nullable Acquisition next) {
        nextOfOwner = next;
    }

    /**
     * The lock is the owner's. The queue knows it before the owner can: the first thing that one does may be to release.
     *
     * @return false if the acquisition had ended before, and the hold is unwanted; if true, {@link #notifyGranted} is owed
     */
    final boolean grant(Hold granted) {
        if (engine.turnsAway(entering == granted)) {
            close();
        }
        level = granted.levels();
        hold = granted;
        WaitQueue current = contended();
        if (current != null) {
            current.granting(this, granted);
        }
        return end(State.GRANTED, null);
    }

    /** Tells the owner that the lock was granted; called after that, once. */
    final void notifyGranted() {
        WaitQueue current = contended();
        Hold granted = hold;
        if (current != null && granted != null) {
            current.granted(this, granted);
        }
        onSettled(State.GRANTED);
    }

    private @Nullable WaitQueue contended() {
        WaitQueue current = queue;
        return current == null ? engine.queues().get(lock) : current;
    }

    /** An attempt found the lock busy. */
    final void busy(long leftMillis) {
        busyNanos = engine.now();
        WaitQueue current = queue;
        if (current != null) {
            current.busy(this, leftMillis);
        } else if (!waits()) {
            end(State.REFUSED, null);
        } else if (engine.isClosing()) {
            close();
        } else if (isPending()) {
            engine.queues().join(this, leftMillis);
        }
    }

    /** An attempt failed for good; so would those of all who wait for this lock. */
    final void fail(RuntimeException why) {
        WaitQueue current = queue;
        if (current != null) {
            current.failed(this, why);
        }
        end(State.FAILED, why);
    }

    /** An attempt failed for a reason of its own. */
    final void failAlone(RuntimeException why) {
        end(State.FAILED, why);
    }

    /** An attempt had no answer for the command timeout. Whoever waits until a deadline tries on until then. */
    final void noAnswer(@Nullable Throwable cause) {
        boolean triesOn = waits() && !waitsForEver() && deadlineNanos() - engine.now() > 0 && !isTurnedAway();
        WaitQueue current = queue;
        if (current != null) {
            current.silent(this, cause);
        } else if (triesOn && isPending()) {
            engine.attempt(this);
        }
        if (isTurnedAway()) {
            close();
        } else if (!triesOn) {
            end(State.FAILED, engine.failures().noAnswer(this, cause));
        }
    }

    /** {@return whether the client's close ends it} One that was sent to enter a hold again goes on until the grace is over. */
    private boolean isTurnedAway() {
        return engine.turnsAway(entering != null);
    }

    /** A try came to nothing, for this reason, and is made again; should the wait end before, this is what is said. */
    final void troubled(@Nullable Throwable cause) {
        trouble = cause;
        WaitQueue current = queue;
        if (current != null) {
            current.troubled(cause);
        }
    }

    /** The caller does not want the lock any more. False if it was settled before, and may hold the lock. */
    final boolean abandon() {
        return end(State.ABANDONED, null);
    }

    /** The client is being closed. */
    final void close() {
        end(State.FAILED, engine.failures().closedWhileWaiting(this));
    }

    /** Schedules the end of the wait, if it has one. Called before the first try. */
    final void armDeadline() {
        if (waits() && !waitsForEver()) {
            long early = Math.min(engine.commandTimeoutNanos(), waitNanos) / 2;
            engine.deadlines().schedule(this, deadlineNanos() - early);
        }
    }

    @Override
    protected final void expired() {
        long now = engine.now();
        if (!isPending()) {
            return;
        }
        if (deadlineNanos() - now <= 0) {
            atDeadline(now);
            return;
        }
        WaitQueue current = queue;
        if (current != null) {
            current.refresh(now);
        }
        engine.deadlines().schedule(this, deadlineNanos());
    }

    /** The wait is over: says busy if that is known, fails if nothing is, or waits a moment for what is on its way. */
    final void atDeadline(long now) {
        WaitQueue current = queue;
        long evidence = current == null ? busyNanos : Math.max(busyNanos, current.busyNanos());
        if (now - evidence <= engine.commandTimeoutNanos()) {
            end(State.REFUSED, null);
        } else if (now - deadlineNanos() < GRACE_NANOS) {
            if (current != null) {
                current.refresh(now);
            }
            engine.deadlines().schedule(this, now);
        } else {
            end(State.FAILED, engine.failures().noAnswer(this, current == null ? trouble : current.trouble()));
        }
    }

    private boolean end(State how, @Nullable RuntimeException why) {
        if (why != null) {
            failure = why;
        }
        if (!leavePending(how)) {
            return false;
        }
        lane().rest();
        if (waits() && !waitsForEver()) {
            engine.deadlines().cancel(this);
        }
        WaitQueue current = queue;
        if (current != null && how != State.GRANTED) {
            current.leave(this);
        }
        engine.notices().completed(this, how, current != null);
        if (how != State.GRANTED) {
            onSettled(how);
        }
        return true;
    }

    /** The pin goes with the state: who sees that the acquisition has ended does not find it in its lane any more. */
    private boolean leavePending(State how) {
        OwnerLane own = lane();
        synchronized (own) {
            boolean left = state.compareAndSet(State.PENDING, how);
            if (left) {
                own.unpin();
            }
            return left;
        }
    }
}
