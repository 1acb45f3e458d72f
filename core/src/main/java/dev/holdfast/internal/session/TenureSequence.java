package dev.holdfast.internal.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Draws the tenures of holds. Each is larger than all before it, whatever the clock does; the scripts rely on that. It
 * is also the time at which it was drawn, in microseconds of the wall clock, unless an earlier one is not smaller,
 * which was drawn in the same millisecond or before the clock was set back. So {@code inspect} shows since when a lock
 * is held, and that time need not be stored.
 */
public final class TenureSequence {
    /** Lua's numbers are exact up to twice this, and a correct clock does not reach it before the year 2112. */
    private static final long END = 1L << 52;

    /** A correct clock is past this, and a count that began with 1 is not. */
    private static final long BEGINNING = 1L << 50;

    private final LongSupplier wallMillis;
    private final AtomicLong last = new AtomicLong();

    TenureSequence(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** {@return a tenure larger than all before} Drawn for each attempt, right before it is sent. */
    long next() {
        long micros = wallMillis.getAsLong() * 1_000;
        long present = micros < END ? micros : 0;
        return last.accumulateAndGet(present, (before, now) -> Math.max(before + 1, now));
    }

    /** {@return whether this tenure may have been drawn: it is not larger than the last one} */
    boolean hasDrawn(long tenure) {
        return tenure > 0 && tenure <= last.get();
    }

    /**
     * {@return the time at which this tenure was drawn, by its client's clock; empty if it was not drawn from a clock}
     */
    public static Optional<Instant> drawnAt(long tenure) {
        return tenure < BEGINNING || tenure >= END
                ? Optional.empty()
                : Optional.of(Instant.EPOCH.plus(tenure / 1_000, ChronoUnit.MILLIS));
    }
}
