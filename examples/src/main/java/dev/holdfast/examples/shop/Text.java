package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.Locale;

/** Durations and counts as readable text. */
final class Text {
    private Text() {}

    /** As in {@code 3.02 s}. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
    }

    /** As in {@code 17.3}, for a column whose title names the unit. */
    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toNanos() / 1e6);
    }

    /** As in {@code once} or {@code 3 times}. */
    static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }
}
