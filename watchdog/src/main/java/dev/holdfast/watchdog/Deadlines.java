package dev.holdfast.watchdog;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many deadlines over one pending timeout of a Netty timer.
 *
 * <p>A timer entry for each deadline would cost a queue operation to create it and another to cancel it, and a
 * cancelled entry stays until the wheel has turned: tens of thousands of dead entries for a service that locks and
 * unlocks at full speed. Here a deadline is a node in a heap. Scheduling one that is later than the armed timeout does
 * not touch the timer, cancelling never does, and a cancelled deadline is removed at once. The one armed timeout may
 * find nothing to do when it fires; it is armed again for the next deadline, or not at all when there is none. So the
 * timer executes about one operation per period, however many deadlines are scheduled and cancelled.
 *
 * <p>Time is divided into ticks. A deadline never expires early; it expires at the first tick at or after its time, and
 * is late only by the lateness of the timer itself. All deadlines of a tick expire in one <em>sweep</em>, in any order.
 *
 * <p>Safe for use by many threads, including virtual threads: the lock is held for a few instructions, never around a
 * callback. The timer belongs to the caller; {@link #close} does not stop it. Once the timer was stopped, or this
 * object was closed, no deadline expires any more, {@link #schedule} returns false, and nothing else changes for the
 * caller.
 */
public final class Deadlines implements AutoCloseable {
    /** The tick of {@link #newTimer()}: fine enough for a lease, coarse enough to cost nothing. */
    public static final Duration DEFAULT_TICK = Duration.ofMillis(10);

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final long NEVER = Long.MAX_VALUE;

    private final Timer timer;
    private final LongSupplier nanoTime;
    private final long tickNanos;
    /** Time zero of the ticks. */
    private final long originNanos;

    /** Guards every field below; no foreign code is called under it except the timer's own queue. */
    private final ReentrantLock lock = new ReentrantLock();

    private final DeadlineHeap<Deadline> heap = new DeadlineHeap<>();
    private @Nullable Timeout armed;
    private long armedTick = NEVER;
    /** The last tick that was swept; a deadline that is scheduled now comes after it, so that a sweep ends. */
    private long sweptTick = Long.MIN_VALUE;

    private boolean sweeping;
    private boolean closed;

    /**
     * @param timer the timer, of which one timeout at a time is used; not stopped by this object
     * @param nanoTime the monotonic clock the deadlines refer to, normally {@code System::nanoTime}
     * @param tick the length of a tick; shorter than the timer's own tick makes no sense
     * @throws IllegalArgumentException when the tick is shorter than a microsecond or longer than an hour
     */
    public Deadlines(Timer timer, LongSupplier nanoTime, Duration tick) {
        if (tick.compareTo(Duration.ofNanos(1_000)) < 0 || tick.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("tick must be between a microsecond and an hour, was " + tick
                    + ": it is how late a deadline may be");
        }
        this.timer = timer;
        this.nanoTime = nanoTime;
        this.tickNanos = tick.toNanos();
        this.originNanos = nanoTime.getAsLong();
    }

    /**
     * {@return a new timer with {@link #DEFAULT_TICK} ticks on one daemon thread, started by its first timeout} The
     * caller stops it.
     */
    public static HashedWheelTimer newTimer() {
        return new HashedWheelTimer(new TimerThreads("holdfast-timer"), DEFAULT_TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** {@return the time the deadlines refer to} */
    public long nanoTime() {
        return nanoTime.getAsLong();
    }

    long tickNanos() {
        return tickNanos;
    }

    /** {@return how many deadlines are scheduled} */
    public int pending() {
        lock.lock();
        try {
            return heap.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the deadline expire at the first tick at or after the given time; moves it when it is scheduled already. A
     * time that has passed means the next tick; a deadline that is scheduled during a sweep is never part of that
     * sweep.
     *
     * @param atNanos on the scale of {@link #nanoTime()}, compared by difference as that is
     * @return false when the timer was stopped or this was closed: the deadline is not scheduled and will not expire
     * @throws IllegalArgumentException when the deadline is scheduled with another {@code Deadlines}
     */
    public boolean schedule(Deadline deadline, long atNanos) {
        lock.lock();
        try {
            if (!closed) {
                heap.put(deadline, Math.max(tickAtOrAfter(atNanos), sweptTick + 1));
                arm();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels the deadline. No reference to it remains.
     *
     * @return true when it was scheduled and will not expire; false when it was not scheduled, which includes the case
     *     that its {@link Deadline#expired} is being called right now
     */
    public boolean cancel(Deadline deadline) {
        lock.lock();
        try {
            return heap.remove(deadline);
        } finally {
            lock.unlock();
        }
    }

    /** Arms the timer again, after the clock was set forward: the deadlines that have passed expire with its next tick. */
    public void rearm() {
        lock.lock();
        try {
            disarm();
            arm();
        } finally {
            lock.unlock();
        }
    }

    /** Drops every deadline without a call, and accepts no new ones. Leaves the timer running. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            heap.clear();
            disarm();
        } finally {
            lock.unlock();
        }
    }

    /** Runs on the timer's thread. A timeout that was replaced while it fired is ignored. */
    private void fired(Timeout timeout) {
        lock.lock();
        try {
            if (timeout != armed) {
                return;
            }
            armed = null;
            armedTick = NEVER;
            sweeping = true;
            sweptTick = Math.floorDiv(nanoTime.getAsLong() - originNanos, tickNanos);
        } finally {
            lock.unlock();
        }
        try {
            for (Deadline due = pollDue(); due != null; due = pollDue()) {
                expire(due);
            }
        } finally {
            lock.lock();
            try {
                sweeping = false;
                arm();
            } finally {
                lock.unlock();
            }
        }
    }

    private @Nullable Deadline pollDue() {
        lock.lock();
        try {
            Deadline first = heap.first();
            if (first == null || first.at > sweptTick) {
                return null;
            }
            heap.remove(first);
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * An exception of one deadline, even an Error, has no caller to propagate to, and must not keep the others from
     * expiring.
     */
    private static void expire(Deadline due) {
        try {
            due.expired();
        } catch (Throwable t) {
            LOG.warn("{} threw an exception; other deadlines are not affected", due, t);
        }
    }

    /** Under the lock: arms the timer no later than for the first deadline. A running sweep does so at its end. */
    private void arm() {
        Deadline first = heap.first();
        if (first == null || sweeping || first.at >= armedTick) {
            return;
        }
        disarm();
        long delay = first.at * tickNanos - (nanoTime.getAsLong() - originNanos);
        try {
            armed = timer.newTimeout(this::fired, Math.max(0, delay), TimeUnit.NANOSECONDS);
            armedTick = first.at;
        } catch (IllegalStateException e) {
            closed = true;
            LOG.debug("the timer was stopped, {} deadlines will not expire", heap.size(), e);
            heap.clear();
        } catch (RuntimeException e) {
            LOG.warn("the timer takes no timeout, {} deadlines wait for the next attempt", heap.size(), e);
        }
    }

    private void disarm() {
        if (armed != null) {
            armed.cancel();
            armed = null;
            armedTick = NEVER;
        }
    }

    private long tickAtOrAfter(long atNanos) {
        return -Math.floorDiv(originNanos - atNanos, tickNanos);
    }
}
