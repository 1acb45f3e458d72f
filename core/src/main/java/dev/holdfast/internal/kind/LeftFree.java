package dev.holdfast.internal.kind;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A release has left the lock free for those that do not join the line, in place of a grant. Its reply and its message to
 * the clients in line say the same.
 *
 * @param others how many subscribers there are that do not join the line
 * @param serverMicros when, by the server's clock, in microseconds: no other release of the lock has the same time
 */
public record LeftFree(int others, long serverMicros) {
    /** The time has fewer digits than the largest {@code long}. A later version may add words. */
    private static final Pattern FORMAT = Pattern.compile("(\\d{1,9}) (\\d{1,18})(?: .*)?");

    /** {@return what {@code release.lua} publishes; null for another message} */
    public static @Nullable LeftFree parse(String message) {
        Matcher parts = FORMAT.matcher(message);
        return parts.matches() ? new LeftFree(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2))) : null;
    }
}
