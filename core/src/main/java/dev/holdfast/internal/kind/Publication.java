package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the message of a release, a delayed close or a forced unlock, as far as the reply to that says.
 *
 * @param receivers how many clients received the message; 0 if none was published
 * @param refusal why Redis refused to publish it; null if it did not
 */
public record Publication(int receivers, @Nullable String refusal) {
    private static final Publication NONE = new Publication(0, null);

    static Publication of(Call release) {
        List<Object> elements = release.elements();
        if (elements.size() < 2) {
            return NONE;
        }
        Object published = elements.get(1);
        return published instanceof Long clients
                ? new Publication(clients.intValue(), null)
                : new Publication(0, published.toString());
    }
}
