package dev.holdfast.examples.prices;

import java.util.concurrent.TimeUnit;

/**
 * What a process has counted since it was last asked.
 *
 * @param times how often it had the lock
 * @param torn how many of the lists that it read were not whole
 * @param longestMicros how long it has waited for the lock at most
 */
record Tally(long times, long torn, long longestMicros) {
    static final Tally NOTHING = new Tally(0, 0, 0);

    /** {@return with one more time} */
    Tally plus(boolean isWhole, long waitedNanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(waitedNanos);
        return new Tally(times + 1, torn + (isWhole ? 0 : 1), Math.max(longestMicros, micros));
    }

    /** {@return both together} */
    Tally plus(Tally other) {
        return new Tally(times + other.times, torn + other.torn, Math.max(longestMicros, other.longestMicros));
    }

    /** {@return as a line, which {@link #parse} reads} */
    String line() {
        return times + " " + torn + " " + longestMicros;
    }

    static Tally parse(String[] words) {
        return new Tally(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
}
