package dev.holdfast;

import java.time.Duration;

/**
 * The lease a caller asks for.
 *
 * @param watched whether it is to be renewed until it is given back
 * @param millis how long Redis is to keep the hold without renewal
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
