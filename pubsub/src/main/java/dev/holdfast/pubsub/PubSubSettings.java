package dev.holdfast.pubsub;

import java.time.Duration;

/**
 * How long to stay, and when to doubt.
 *
 * @param linger how long a channel nobody uses any more stays subscribed, so that a busy one does not flap; the end comes
 *     between one and two of these later
 * @param pingInterval how often the server is asked for a sign of life while anybody waits
 * @param silenceLimit how long it may give none before the connection is given up; counted in unanswered pings, so that a
 *     pause of this process is not taken for silence of the other side
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

    /** {@return a second of linger, a ping each second, and three seconds of patience} */
    public static PubSubSettings defaults() {
        return new PubSubSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /** {@return how many pings in a row may go unanswered} */
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
