package dev.holdfast.campaign.soak;

import java.time.Duration;

/**
 * How fast a soak goes.
 *
 * @param minute the length of a minute, with the rest at its end
 * @param calm how long the actors work before the fault
 * @param watchdogTimeout of all clients
 * @param pause the longest one between two turns of an actor
 * @param faults whether there are faults
 * @param samples how many samples the second half of a series must have to be judged
 */
record Pace(Duration minute, Duration calm, Duration watchdogTimeout, Duration pause, boolean faults, int samples) {
    static final int PROCESSES = 4;
    static final int PER_PROCESS = 2;
    static final int CLIENTS = PROCESSES * PER_PROCESS;

    /** That of a real soak. */
    static final Pace REAL = new Pace(
            Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(1_200), true, 10);

    /** A rest takes this time, unless something has to end before. */
    private static final Duration REST = Duration.ofSeconds(6);

    /** {@return for how long the actors work, unless the recovery from the fault takes longer} */
    Duration work() {
        return minute.compareTo(REST.multipliedBy(2)) > 0 ? minute.minus(REST) : minute;
    }
}
