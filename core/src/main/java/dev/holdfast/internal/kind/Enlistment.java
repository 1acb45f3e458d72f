package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client has a place in the line for a lock, as far as the reply to its attempt says.
 *
 * @param isInLine whether it has
 * @param before how many places are before its own; 0 if it has none
 * @param serverMicros the time of the server, in microseconds, when it got the place; 0 if it has none
 * @param refusal why Redis refused to give it one; null if it did not
 */
public record Enlistment(
        boolean isInLine,
        long before,
        long serverMicros,
        @Nullable String refusal) {
    /** The client has no place in line. */
    public static final Enlistment NONE = new Enlistment(false, 0, 0, null);

    /** Parses the reply to {@link Enlists#acquireOrEnlist}, which found the lock busy. */
    public static Enlistment of(Call busy) {
        List<Object> elements = busy.elements();
        if (elements.size() < 2) {
            return NONE;
        }
        return elements.get(1) instanceof Long before && elements.size() > 2
                ? new Enlistment(true, before, Long.parseLong(elements.get(2).toString()), null)
                : new Enlistment(false, 0, 0, elements.get(1).toString());
    }
}
