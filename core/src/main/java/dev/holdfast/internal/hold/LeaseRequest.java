package dev.holdfast.internal.hold;

import dev.holdfast.internal.session.Arguments;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The lease that a caller requests.
 *
 * @param watched whether the watchdog renews it until the release
 * @param millis how long Redis keeps the hold without renewal
 */
public record LeaseRequest(boolean watched, long millis) {
    public static LeaseRequest watched(Duration watchdogTimeout) {
        return new LeaseRequest(true, watchdogTimeout.toMillis());
    }

    public static LeaseRequest explicit(Duration lease) {
        return new LeaseRequest(false, Arguments.lease(lease).toMillis());
    }

    /** {@return a lease in milliseconds, rounded up: Redis must not end it before the client does} */
    public static long millisOf(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
    }

    public long nanos() {
        return Duration.ofMillis(millis).toNanos();
    }
}
