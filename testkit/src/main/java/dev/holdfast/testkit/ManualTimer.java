package dev.holdfast.testkit;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Netty timer whose time moves only when a test advances it. {@link #advance} moves the clock from one due timeout to
 * the next and runs each on the calling thread, so a test of minutes takes no time and has one possible outcome.
 *
 * <p>Safe for use by several threads; tasks run outside the timer's monitor and may schedule and cancel.
 */
public final class ManualTimer implements Timer {
    private final PriorityQueue<Pending> queue = new PriorityQueue<>(
            Comparator.comparingLong((Pending p) -> p.dueNanos).thenComparingLong(p -> p.sequence));
    private long nowNanos;
    private long sequence;
    private boolean stopped;

    /**
     * {@return this timer's time in nanoseconds: starts at zero, moves only with {@link #advance} and {@link
     * #standStill}}
     */
    public synchronized long nanoTime() {
        return nowNanos;
    }

    /** {@return a wall clock in milliseconds that agrees with {@link #nanoTime}: nobody adjusts it} */
    public long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime());
    }

    /** {@return the number of timeouts that have neither run nor been cancelled} */
    public synchronized int pending() {
        return queue.size();
    }

    /** Advances the time by {@code step}; every timeout that falls due runs at its own due time, in order. */
    public void advance(Duration step) {
        long target;
        synchronized (this) {
            target = nowNanos + step.toNanos();
        }
        for (Pending next = pollDue(target); next != null; next = pollDue(target)) {
            next.run();
        }
    }

    /**
     * Advances the time without running anything, as in a suspended process: timeouts that fall due run with the next
     * advance.
     */
    public synchronized void standStill(Duration step) {
        nowNanos += step.toNanos();
    }

    private synchronized @Nullable Pending pollDue(long targetNanos) {
        Pending head = queue.peek();
        if (head == null || head.dueNanos > targetNanos) {
            nowNanos = targetNanos;
            return null;
        }
        nowNanos = Math.max(nowNanos, head.dueNanos);
        return queue.poll();
    }

    @Override
    public synchronized Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        if (stopped) {
            throw new IllegalStateException("timer is stopped");
        }
        Pending pending = new Pending(task, nowNanos + Math.max(0, unit.toNanos(delay)), sequence++);
        queue.add(pending);
        return pending;
    }

    @Override
    public synchronized Set<Timeout> stop() {
        stopped = true;
        Set<Timeout> left = new HashSet<>(queue);
        queue.clear();
        return left;
    }

    private final class Pending implements Timeout {
        private final TimerTask task;
        private final long dueNanos;
        private final long sequence;
        private boolean cancelled;
        private boolean expired;

        Pending(TimerTask task, long dueNanos, long sequence) {
            this.task = task;
            this.dueNanos = dueNanos;
            this.sequence = sequence;
        }

        void run() {
            synchronized (ManualTimer.this) {
                expired = true;
            }
            try {
                task.run(this);
            } catch (Exception e) {
                throw new AssertionError("a timer task must not throw", e);
            }
        }

        @Override
        public Timer timer() {
            return ManualTimer.this;
        }

        @Override
        public TimerTask task() {
            return task;
        }

        @Override
        public boolean isExpired() {
            synchronized (ManualTimer.this) {
                return expired;
            }
        }

        @Override
        public boolean isCancelled() {
            synchronized (ManualTimer.this) {
                return cancelled;
            }
        }

        @Override
        public boolean cancel() {
            synchronized (ManualTimer.this) {
                if (expired || cancelled) {
                    return false;
                }
                cancelled = true;
                queue.remove(this);
                return true;
            }
        }
    }
}
