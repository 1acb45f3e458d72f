package dev.holdfast;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Draws the numbers of holds. Each is larger than all before it, whatever the clock does; that is what the scripts rely on.
 * Beside that, it is the time it was drawn at, in microseconds of the wall clock, as far as those who drew in the same
 * millisecond or before a clock that was set back leave it free. So who looks at a lock sees since when it is held, and
 * nobody had to write that down.
 */
final class TenureSequence {
    /** Lua's numbers are exact up to twice this, and no clock that is right shows it before the year 2112. */
    private static final long END = 1L << 52;

    /** A clock that is right is past this, and a count that began with 1 is not. */
    private static final long BEGINNING = 1L << 50;

    private final LongSupplier wallMillis;
    private final AtomicLong last = new AtomicLong();

    TenureSequence(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** {@return a number larger than all before} To be drawn for each try, right before it is sent. */
    long next() {
        long micros = wallMillis.getAsLong() * 1_000;
        long present = micros < END ? micros : 0;
        return last.accumulateAndGet(present, (before, now) -> Math.max(before + 1, now));
    }

    /** {@return when this number was drawn, by the clock of its client; empty if it was no clock that it was drawn by} */
    static Optional<Instant> drawnAt(long tenure) {
        return tenure < BEGINNING || tenure >= END
                ? Optional.empty()
                : Optional.of(Instant.EPOCH.plus(tenure / 1_000, ChronoUnit.MILLIS));
    }
}
