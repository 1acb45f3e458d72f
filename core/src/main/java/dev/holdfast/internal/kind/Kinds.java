package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.Script;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of lock of a client, one for each type: the only list of them. What each connection loads follows from it. That
 * the rights and keys in the documents, and the resources of native images, are those of these kinds is tested.
 *
 * @see "KindsTest"
 */
public final class Kinds {
    private final Map<LockType, Kind> byType = new EnumMap<>(LockType.class);

    /** @param label of the client, which {@code inspect} shows with each lock it holds; null if there is none */
    public Kinds(@Nullable String label) {
        ReadKind read = new ReadKind(label);
        for (Kind kind : List.of(
                new PlainKind(label),
                new FencedKind(label),
                new FairKind(label),
                read,
                read.otherSide(),
                new PermitsKind(label))) {
            byType.put(kind.type(), kind);
        }
    }

    /** {@return the kind of locks of this type} */
    public Kind of(LockType type) {
        return Objects.requireNonNull(byType.get(type));
    }

    /** {@return all of them} Unmodifiable. */
    public Collection<Kind> all() {
        return Collections.unmodifiableCollection(byType.values());
    }

    /** {@return the scripts of all kinds, each once} */
    public List<Script> scripts() {
        return byType.values().stream()
                .flatMap(kind -> kind.scripts().stream())
                .distinct()
                .toList();
    }
}
