package dev.holdfast.internal.kind;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The message with which a release notifies a client that it has granted it the lock.
 *
 * @param owner the name of the new owner, as in Redis
 * @param ownerId the same owner within its client
 * @param tenure of its hold
 * @param serverMicros when the lock was granted, by the server's clock, in microseconds
 * @param drawn the {@linkplain Answer#drawn number} that the release has drawn with the grant; 0 if it has drawn none
 */
public record GrantMessage(String owner, long ownerId, long tenure, long serverMicros, long drawn) {
    /**
     * Its numbers have at most as many digits as are less than those of a {@code long}, but for the one that was drawn. A later
     * version may add words.
     */
    private static final Pattern FORMAT =
            Pattern.compile("(\\S+:(-?\\d{1,18})) (\\d{1,18}) (\\d{1,18})(?: (\\d{1,19}))?(?: .*)?");

    /** {@return what {@code release.lua} publishes; null for what another program has published} */
    public static @Nullable GrantMessage parse(String message) {
        Matcher parts = FORMAT.matcher(message);
        if (!parts.matches()) {
            return null;
        }
        BigInteger drawn = new BigInteger(parts.group(5) == null ? "0" : parts.group(5));
        return drawn.bitLength() >= Long.SIZE
                ? null
                : new GrantMessage(
                        parts.group(1),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)),
                        Long.parseLong(parts.group(4)),
                        drawn.longValue());
    }

    /** {@return whether it grants the lock to this tenure of this owner} */
    public boolean isTo(String name, long granted) {
        return tenure == granted && owner.equals(name);
    }
}
