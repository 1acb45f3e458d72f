package dev.holdfast.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The tag that meters about one lock have; with a limited number of values. */
final class LockTag {
    /** No tag. */
    static final LockTag NONE = new LockTag(null);

    static final int MOST_VALUES = 100;

    private static final String KEY = "lock";
    private static final String OTHER = "other";

    private final @Nullable UnaryOperator<String> valueOf;
    private final Set<String> values = ConcurrentHashMap.newKeySet();

    /** @param valueOf the value for the name of a lock; null for no tag */
    LockTag(@Nullable UnaryOperator<String> valueOf) {
        this.valueOf = valueOf;
    }

    Tags of(String lock) {
        if (valueOf == null) {
            return Tags.empty();
        }
        String value = valueOf.apply(lock);
        return Tags.of(
                KEY,
                limited(Objects.requireNonNull(value, () -> "the tag for the lock '" + lock + "' must not be null")));
    }

    /** Several threads at once may admit some values more. */
    private String limited(String value) {
        if (values.contains(value)) {
            return value;
        }
        if (values.size() >= MOST_VALUES) {
            return OTHER;
        }
        values.add(value);
        return value;
    }

    boolean isUsed() {
        return valueOf != null;
    }
}
