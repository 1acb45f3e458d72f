package dev.holdfast.pubsub;

import java.time.Duration;

/**
 * The timings of subscriptions and of the heartbeat.
 *
 * @param linger how long an unused channel stays subscribed, so that a busy channel is not unsubscribed and subscribed
 *     all the time; the subscription ends after one to two times this duration
 * @param pingInterval how often the server is pinged while there are waiters
 * @param silenceLimit how long the server may send no data before the connection is closed; counted in unanswered
 *     pings, so that a pause of this process is not mistaken for silence of the server
 */
public record PubSubSettings(Duration linger, Duration pingInterval, Duration silenceLimit) {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    public PubSubSettings {
        requireTimed("linger", linger);
        requireTimed("pingInterval", pingInterval);
        if (silenceLimit.compareTo(pingInterval) < 0) {
            throw new IllegalArgumentException("silenceLimit must be at least one pingInterval (" + pingInterval
                    + "), or no ping could be answered in time, was " + silenceLimit);
        }
    }

    /** {@return a linger of one second, a ping each second, and a silence limit of three seconds} */
    public static PubSubSettings defaults() {
        return new PubSubSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /** {@return how many consecutive pings may go unanswered} */
    int pingsAllowed() {
        long interval = pingInterval.toNanos();
        return (int) Math.min(Integer.MAX_VALUE, (silenceLimit.toNanos() + interval - 1) / interval);
    }

    private static void requireTimed(String name, Duration duration) {
        if (duration.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, was " + duration);
        }
    }
}
