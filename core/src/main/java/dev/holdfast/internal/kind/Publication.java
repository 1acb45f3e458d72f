package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the message of a release, a delayed close or a forced unlock, as far as the reply to that says.
 *
 * @param next which clients can have the lock now
 * @param receivers how many clients received the message; 0 if none was published
 * @param leftFree for {@link Next#OTHERS}: for how many, and when; null otherwise
 * @param refusal why Redis refused to publish it; null if it did not
 */
public record Publication(
        Next next,
        int receivers,
        @Nullable LeftFree leftFree,
        @Nullable String refusal) {

    /** The clients that can have a lock that was released. */
    public enum Next {
        /** The client that acquires it first. */
        ANYONE,
        /** The first client in line, to which it was granted, and which alone was notified. */
        GRANTED,
        /** Those that do not join the line; the clients in line have lost their places, and stand back. */
        OTHERS
    }

    private static final Publication NONE = new Publication(Next.ANYONE, 0, null, null);

    /** Parses the reply of {@code release.lua}, {@code close-after.lua} or {@code force-unlock.lua}. */
    public static Publication of(Call release) {
        List<Object> elements = release.elements();
        if (elements.size() < 2) {
            return NONE;
        }
        if (!(elements.get(1) instanceof Long clients)) {
            return new Publication(Next.ANYONE, 0, null, elements.get(1).toString());
        }
        if (elements.size() < 3) {
            return new Publication(Next.ANYONE, clients.intValue(), null, null);
        }
        LeftFree left = elements.size() < 4 ? null : LeftFree.parse(elements.get(2) + " " + elements.get(3));
        return new Publication(left == null ? Next.GRANTED : Next.OTHERS, clients.intValue(), left, null);
    }
}
