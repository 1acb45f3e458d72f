package dev.holdfast;

import java.time.Duration;

/**
 * The lease that a caller requests.
 *
 * @param watched whether the watchdog renews it until the release
 * @param millis how long Redis keeps the hold without renewal
 */
record LeaseRequest(boolean watched, long millis) {
    static LeaseRequest watched(Duration watchdogTimeout) {
        return new LeaseRequest(true, watchdogTimeout.toMillis());
    }

    static LeaseRequest explicit(Duration lease) {
        return new LeaseRequest(false, Arguments.lease(lease).toMillis());
    }

    long nanos() {
        return Duration.ofMillis(millis).toNanos();
    }
}
