package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.WaitHistogram;

/**
 * What one contender has counted, and since when it waits. Written by one thread at a time; only the wait under way is read
 * by others.
 */
final class Contender {
    private final Window window;
    private final WaitHistogram waits = new WaitHistogram();
    private long acquisitions;
    private long ever;
    private volatile long waitingSince;

    Contender(Window window) {
        this.window = window;
    }

    /** Is about to ask for the lock. */
    void asks() {
        waitingSince = System.nanoTime();
    }

    /** {@return the time} Has the lock. */
    long acquired() {
        long now = System.nanoTime();
        long asked = waitingSince;
        waitingSince = 0;
        acquiredAfter(now - asked);
        return now;
    }

    /** Has the lock, after so many nanoseconds. */
    void acquiredAfter(long nanos) {
        ever++;
        if (window.isOpen()) {
            acquisitions++;
            waits.record(nanos);
        }
    }

    long acquisitions() {
        return acquisitions;
    }

    long ever() {
        return ever;
    }

    /** Notes a wait that is not over. */
    void shut(WaitHistogram all) {
        long since = waitingSince;
        if (since != 0) {
            all.atLeast(System.nanoTime() - since);
        }
    }

    void addTo(WaitHistogram all) {
        all.add(waits);
    }
}
