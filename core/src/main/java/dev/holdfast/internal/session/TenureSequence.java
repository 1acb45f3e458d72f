package dev.holdfast.internal.session;

import dev.holdfast.internal.kind.TenureTime;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Draws the tenures of holds. Each is larger than all before it, whatever the clock does; the scripts rely on that. It
 * is also the {@linkplain TenureTime time} at which it was drawn, unless an earlier one is not smaller,
 * which was drawn in the same millisecond or before the clock was set back. So {@code inspect} shows since when a lock
 * is held, and that time need not be stored.
 */
final class TenureSequence {
    private final LongSupplier wallMillis;
    private final AtomicLong last = new AtomicLong();

    TenureSequence(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** {@return a tenure larger than all before} Drawn for each attempt, right before it is sent. */
    long next() {
        long micros = wallMillis.getAsLong() * 1_000;
        long present = micros < TenureTime.END ? micros : 0;
        return last.accumulateAndGet(present, (before, now) -> Math.max(before + 1, now));
    }

    /** {@return whether this tenure may have been drawn: it is not larger than the last one} */
    boolean hasDrawn(long tenure) {
        return tenure > 0 && tenure <= last.get();
    }
}
