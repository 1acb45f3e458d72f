package dev.holdfast.internal.kind;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The time that a tenure is: that at which it was drawn, in microseconds of its client's wall clock. */
public final class TenureTime {
    /** Lua's numbers are exact up to twice this, and a correct clock does not reach it before the year 2112. */
    public static final long END = 1L << 52;

    /** A correct clock is past this, and a count that began with 1 is not. */
    private static final long BEGINNING = 1L << 50;

    private TenureTime() {}

    /** {@return the time at which this tenure was drawn; empty if it was not drawn from a clock} */
    public static Optional<Instant> drawnAt(long tenure) {
        return tenure < BEGINNING || tenure >= END
                ? Optional.empty()
                : Optional.of(Instant.EPOCH.plus(tenure / 1_000, ChronoUnit.MILLIS));
    }
}
