package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that set it, after a delay if there is one, unless the thread has turned it off before; never
 * later.
 */
final class Alarm {
    private final Thread thread = Thread.currentThread();
    /** Guarded by this. */
    private boolean off;
    /** Guarded by this. */
    private boolean rang;

    private Alarm() {}

    @SuppressWarnings("FutureReturnValueIgnored") // an alarm that was turned off has no effect
    static Alarm set(ScheduledExecutorService clock, Optional<Duration> after) {
        Alarm alarm = new Alarm();
        after.ifPresent(time -> clock.schedule(alarm::ring, time.toNanos(), TimeUnit.NANOSECONDS));
        return alarm;
    }

    /** Rings now, unless it is off. */
    synchronized void ring() {
        if (!off) {
            rang = true;
            thread.interrupt();
        }
    }

    /**
     * {@return whether it has interrupted the thread, and the interrupt status has been cleared since} Called by the
     * thread that set it.
     */
    synchronized boolean interruptWasCleared() {
        return rang && !thread.isInterrupted();
    }

    /** Turns it off, and clears the interrupt status if it has interrupted the thread. */
    synchronized void turnOff() {
        off = true;
        if (rang) {
            Thread.interrupted();
        }
    }
}
