package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Detects times in which this process did not run, because the machine was busy or stopped: a thread that sleeps for
 * {@link #SLEEP} and finds by the clock that it slept for much longer. What took long in such a time shows nothing about
 * the tested program. A pause of the garbage collector is detected as well; a lock that blocks other threads is not.
 */
public final class StallDetector implements AutoCloseable {
    /** How long the thread sleeps each time. */
    public static final Duration SLEEP = Duration.ofMillis(50);

    private final long shortestNanos;
    private final Listener listener;
    private final LongSupplier clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** Notified of stalls. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The process did not run between two moments, or hardly so. Called on the detecting thread.
         *
         * @param sinceNanos the begin, by {@link System#nanoTime()}
         * @param untilNanos the end
         */
        void stalled(long sinceNanos, long untilNanos);
    }

    StallDetector(Duration shortest, Listener listener, LongSupplier clock) {
        this.shortestNanos = shortest.toNanos();
        this.listener = listener;
        this.clock = clock;
        this.thread = new Thread(this::watch, "stall-detector");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Begins to watch, until it is closed.
     *
     * @param shortest the shortest stall to be reported, beyond what the thread sleeps
     */
    public static StallDetector start(Duration shortest, Listener listener) {
        return new StallDetector(shortest, listener, System::nanoTime);
    }

    private void watch() {
        try {
            long since = clock.getAsLong();
            while (!closed.await(SLEEP.toNanos(), TimeUnit.NANOSECONDS)) {
                since = look(since);
            }
            look(since);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long look(long since) {
        long now = clock.getAsLong();
        if (now - since > SLEEP.toNanos() + shortestNanos) {
            listener.stalled(since, now);
        }
        return now;
    }

    /** Reports a stall that lasts until now, and ends the thread. An interrupt is kept for later. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
