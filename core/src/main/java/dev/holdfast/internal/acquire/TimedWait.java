package dev.holdfast.internal.acquire;

import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.JoinedQueue;
import dev.holdfast.internal.wait.LockWaiter;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long an {@link Acquisition} waits, and with what it ends when that time is over: refused if the lock is known to
 * be busy, failed if Redis has not answered.
 *
 * <p>The end of the wait is a deadline of its own; so is that of a call without a wait, a command timeout after its beginning,
 * by which it has an answer or fails. An acquisition is only refused as busy on evidence no older than the
 * command timeout, so one that waits for long has the queue attempt again shortly before its deadline.
 *
 * @see "CallWithoutWaitTest, WakeUpTest"
 */
abstract class TimedWait extends Deadline implements LockWaiter {
    /** How long a reply that is in flight when the wait is found to be over is still awaited. */
    private static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

    private final Session session;
    private final long waitNanos;
    private final boolean ofWaitingCall;
    private final long startNanos;

    /** When Redis last answered an attempt of this acquisition itself with busy; long ago if never. */
    private volatile long busyNanos;

    /** Why its last attempt was inconclusive. */
    private volatile @Nullable Throwable trouble;

    /** Whether the wait was found to be over, and when; long after it was over if the process was paused. Timer's thread only. */
    private boolean over;

    private long foundOverNanos;

    TimedWait(Session session, AcquireRequest wanted) {
        this.session = session;
        this.waitNanos = wanted.waitNanos();
        this.ofWaitingCall = wanted.ofWaitingCall();
        this.startNanos = session.now();
        this.busyNanos = startNanos - 2 * session.commandTimeoutNanos();
    }

    /** The wait is over, and the lock is busy. */
    abstract void refuse();

    /**
     * The wait is over, and Redis has not answered for longer than the command timeout.
     *
     * @param cause why the last attempt was inconclusive
     */
    abstract void unanswered(@Nullable Throwable cause);

    /** {@return the queue it waits in, or waited in; null if it has only waited for replies to its own attempts} */
    abstract @Nullable JoinedQueue queue();

    final Session session() {
        return session;
    }

    @Override
    public final long startNanos() {
        return startNanos;
    }

    final boolean waits() {
        return waitNanos > 0;
    }

    @Override
    public final boolean waitsForEver() {
        return waitNanos == AcquireRequest.FOR_EVER;
    }

    /** {@return whether it waits, but not for ever} */
    final boolean hasDeadline() {
        return waitNanos > 0 && waitNanos != AcquireRequest.FOR_EVER;
    }

    /** {@return whether the call that it is part of may wait} Otherwise it ends at its deadline, answered or not. */
    final boolean isOfWaitingCall() {
        return ofWaitingCall;
    }

    @Override
    public final boolean waitsLongerThan(Duration time) {
        return waitsForEver() || deadlineNanos() - session.now() > time.toNanos();
    }

    @Override
    public final long deadlineNanos() {
        return startNanos + (ofWaitingCall ? waitNanos : session.commandTimeoutNanos());
    }

    /** Schedules the end of the wait, if it has one. Called before the first attempt. */
    final void armDeadline() {
        if (!ofWaitingCall) {
            session.deadlines().schedule(this, deadlineNanos());
        } else if (hasDeadline()) {
            long early = Math.min(session.commandTimeoutNanos(), waitNanos) / 2;
            session.deadlines().schedule(this, deadlineNanos() - early);
        }
    }

    /** The acquisition has ended: its deadline does not matter any more. */
    final void disarmDeadline() {
        if (!ofWaitingCall || hasDeadline()) {
            session.deadlines().cancel(this);
        }
    }

    /** Redis answered an attempt of this acquisition with busy. */
    final void noteBusy() {
        busyNanos = session.now();
    }

    /** An attempt was inconclusive, for this reason. */
    final void noteTrouble(@Nullable Throwable cause) {
        trouble = cause;
    }

    /** {@return whether Redis has reported the lock as busy no longer than the command timeout ago} */
    final boolean isKnownBusy(long now) {
        return now - lastBusyNanos() <= session.commandTimeoutNanos();
    }

    /** {@return when Redis last reported the lock as busy, as far as this acquisition or its queue knows} */
    final long lastBusyNanos() {
        JoinedQueue waitsIn = queue();
        return waitsIn == null ? busyNanos : Math.max(busyNanos, waitsIn.busyNanos());
    }

    /** Has the queue attempt again if the last reply that reported the lock as busy would soon be too old. */
    final void refresh(long now) {
        JoinedQueue waitsIn = queue();
        if (waitsIn != null) {
            waitsIn.refresh(now);
        }
    }

    @Override
    protected final void expired() {
        long now = session.now();
        if (!isPending()) {
            return;
        }
        if (deadlineNanos() - now <= 0) {
            atDeadline(now);
        } else {
            refresh(now);
            session.deadlines().schedule(this, deadlineNanos());
        }
    }

    /** Refuses if the lock is known to be busy, waits a moment for a reply in flight, or else fails. */
    private void atDeadline(long now) {
        if (!over) {
            over = true;
            foundOverNanos = now;
        }
        if (isKnownBusy(now)) {
            refuse();
        } else if (now - foundOverNanos < GRACE_NANOS) {
            refresh(now);
            session.deadlines().schedule(this, now);
        } else {
            JoinedQueue waitsIn = queue();
            unanswered(waitsIn == null ? trouble : waitsIn.trouble());
        }
    }
}
