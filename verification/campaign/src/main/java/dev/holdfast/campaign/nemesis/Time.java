package dev.holdfast.campaign.nemesis;

import java.util.concurrent.TimeUnit;

/** A monotonic clock, and the sleep by it. */
interface Time {
    /** The time of the machine. */
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    /** {@return the time, from any origin} */
    long nanos();

    /** Returns when so much time has passed, at once if that is zero or less. */
    void sleep(long nanos) throws InterruptedException;
}
