package dev.holdfast.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as text: a number and a unit, {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}. */
final class Durations {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h|d)?");

    private Durations() {}

    /**
     * {@return the duration} A number without a unit is in seconds, as it is for {@code sleep} and {@code flock}.
     *
     * @param name of what has this duration, for the message
     * @throws UsageException if it is none
     */
    static Duration parse(String name, String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(
                    name + " must be a number and a unit, as in 500ms, 30s, 1.5m, 2h or 1d, was '" + text + "'");
        }
        return Duration.ofMillis(new BigDecimal(matcher.group(1))
                .multiply(millisPer(matcher.group(2)))
                .longValue());
    }

    private static BigDecimal millisPer(@Nullable String unit) {
        Duration one =
                switch (unit == null ? "s" : unit) {
                    case "ms" -> Duration.ofMillis(1);
                    case "m" -> Duration.ofMinutes(1);
                    case "h" -> Duration.ofHours(1);
                    case "d" -> Duration.ofDays(1);
                    default -> Duration.ofSeconds(1);
                };
        return BigDecimal.valueOf(one.toMillis());
    }

    /** {@return the duration in seconds, with one digit after the point, as in {@code 29.4 s}} Rounded down. */
    static String seconds(Duration duration) {
        long tenths = duration.toMillis() / 100;
        return tenths / 10 + "." + tenths % 10 + " s";
    }
}
