package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Interrupts the thread that set it, after a time if there is one, unless that has turned it off before; never later. */
final class Alarm {
    private final Thread thread = Thread.currentThread();
    /** Guarded by this. */
    private boolean off;
    /** Guarded by this. */
    private boolean rang;

    private Alarm() {}

    @SuppressWarnings("FutureReturnValueIgnored") // an alarm that is off does nothing
    static Alarm set(ScheduledExecutorService clock, Optional<Duration> after) {
        Alarm alarm = new Alarm();
        after.ifPresent(time -> clock.schedule(alarm::ring, time.toNanos(), TimeUnit.NANOSECONDS));
        return alarm;
    }

    private synchronized void ring() {
        if (!off) {
            rang = true;
            thread.interrupt();
        }
    }

    /** {@return whether it rang and something has ended by it} To be asked by the thread that set it. */
    synchronized boolean wasHeard() {
        return rang && !thread.isInterrupted();
    }

    /** Turns it off, and clears the interrupt if it rang. */
    synchronized void turnOff() {
        off = true;
        if (rang) {
            Thread.interrupted();
        }
    }
}
