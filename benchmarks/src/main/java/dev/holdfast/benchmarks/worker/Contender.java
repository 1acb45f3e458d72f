package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.WaitHistogram;

/**
 * The counts of one contender, and the start of its present wait. Written by one thread at a time; only the present
 * wait is read by others.
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

    /** {@return the present time} Records that the contender is about to acquire the lock. */
    long requested() {
        long now = System.nanoTime();
        waitingSince = now;
        return now;
    }

    /** {@return the present time} Records that the contender has the lock. */
    long acquired() {
        long now = System.nanoTime();
        long since = waitingSince;
        waitingSince = 0;
        acquiredAfter(now - since);
        return now;
    }

    /** Records an acquisition after a wait of this length. */
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

    /** Records a wait that has not ended. */
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
