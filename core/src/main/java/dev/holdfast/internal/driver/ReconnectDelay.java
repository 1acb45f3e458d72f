package dev.holdfast.internal.driver;

import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The delay before an attempt to reconnect: it doubles with each attempt up to the longest, and is shortened by chance, by at most
 * half, so that clients whose server was down do not all come at once. Of the driver's own delays, those with jitter have nearly
 * none from the tenth attempt on, and overflow at the 63rd: no delay at all is left then.
 */
public final class ReconnectDelay extends Delay {
    private static final long FIRST_NANOS = 4_000_000;
    private static final int MOST_DOUBLINGS = 30;

    private final long longestNanos;

    public ReconnectDelay(Duration longest) {
        this.longestNanos = longest.toNanos();
    }

    /** @param attempt from 1 on */
    @Override
    public Duration createDelay(long attempt) {
        long most = Math.min(longestNanos, FIRST_NANOS << Math.min(attempt - 1, MOST_DOUBLINGS));
        return Duration.ofNanos(most - ThreadLocalRandom.current().nextLong(most / 2 + 1));
    }
}
