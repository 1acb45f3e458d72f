package dev.holdfast.internal.topology;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How often the connections to a server are reopened because it is not the right one: at once, then after
 * {@link #SHORTEST}, and after twice as long each time, up to {@link #LONGEST}. Each pause is longer by up to a quarter,
 * so that clients which have lost the same server do not come back together. After {@link #FORGOTTEN} without another
 * one, all is as at the beginning.
 */
final class ReopenLimit {
    static final Duration SHORTEST = Duration.ofSeconds(5);
    static final Duration LONGEST = Duration.ofSeconds(60);
    static final Duration FORGOTTEN = LONGEST.multipliedBy(2);

    /** After so many in a row for connections that lead to two servers, more of them are not expected to help. */
    private static final int MOST_IN_VAIN = 3;

    private final DoubleSupplier random;

    // All below is guarded by this.
    private int row;
    private int apart;
    private long lastNanos;
    private long pauseNanos;

    /** @param random from 0 to 1 */
    ReopenLimit(DoubleSupplier random) {
        this.random = random;
    }

    /** {@return how many in a row there have been} */
    synchronized int row(long nowNanos) {
        if (nowNanos - lastNanos > FORGOTTEN.toNanos()) {
            row = 0;
            apart = 0;
        }
        return row;
    }

    /** {@return whether connections that lead to two servers are better kept as they are, being of some use} */
    synchronized boolean isUseless(long nowNanos) {
        return row(nowNanos) > 0 && apart >= MOST_IN_VAIN;
    }

    /** The connections lead to one server. */
    synchronized void foundTogether() {
        apart = 0;
    }

    /** {@return how long to wait for the next one; zero if it may be at once} */
    synchronized Duration pause(long nowNanos) {
        return row(nowNanos) == 0 ? Duration.ZERO : Duration.ofNanos(Math.max(0, pauseNanos - (nowNanos - lastNanos)));
    }

    /**
     * The connections are reopened.
     *
     * @param leadToTwo whether that is because they lead to two servers
     */
    synchronized void begin(long nowNanos, boolean leadToTwo) {
        long doubled = row(nowNanos) == 0 ? SHORTEST.toNanos() : SHORTEST.toNanos() << Math.min(row, 10);
        pauseNanos = Math.round(Math.min(doubled, LONGEST.toNanos()) * (1 + random.getAsDouble() / 4));
        lastNanos = nowNanos;
        row++;
        if (leadToTwo) {
            apart++;
        }
    }
}
