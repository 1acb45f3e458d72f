package dev.holdfast.cli.top;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How much of a node {@code top} may use in a second: commands, and the time in which the node answers them. A batch is sent only if
 * its commands are left, and time is. Not safe for use by several threads.
 */
public final class NodeBudget {
    /** About two hundredths of what one thread of Redis executes. */
    public static final int COMMANDS_PER_SECOND = 2_000;

    /** A batch that is under way when it is used up is waited for, and none is sent after it. */
    public static final Duration TIME_PER_SECOND = Duration.ofMillis(100);

    /** How many commands are sent at once: Redis executes those of a connection in a row, before those of others. */
    static final int BATCH = 100;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanoTime;
    private long beganAt;
    private boolean hasBegun;
    private int commandsLeft;
    private long nanosLeft;

    /** @param nanoTime the clock */
    NodeBudget(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** {@return whether a new second begins, with a new budget} False if the last one is not over. */
    boolean begin() {
        long now = nanoTime.getAsLong();
        if (hasBegun && now - beganAt < SECOND) {
            return false;
        }
        hasBegun = true;
        beganAt = now;
        commandsLeft = COMMANDS_PER_SECOND;
        nanosLeft = TIME_PER_SECOND.toNanos();
        return true;
    }

    /** {@return how many things can be read in the next batch, at so many commands each} */
    int nextBatch(int commandsEach) {
        return nanosLeft <= 0 ? 0 : Math.min(BATCH, commandsLeft) / commandsEach;
    }

    /** Executes a batch of so many commands, and counts it. */
    void spend(int commands, Runnable batch) {
        long before = nanoTime.getAsLong();
        commandsLeft -= commands;
        try {
            batch.run();
        } finally {
            nanosLeft -= nanoTime.getAsLong() - before;
        }
    }

    /** {@return the commands that are left} */
    int commandsLeft() {
        return commandsLeft;
    }

    /** {@return how long until a new second may begin} */
    Duration untilNext() {
        return hasBegun ? Duration.ofNanos(Math.max(0, SECOND - (nanoTime.getAsLong() - beganAt))) : Duration.ZERO;
    }
}
