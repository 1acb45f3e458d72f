package dev.holdfast.internal.failover;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The largest token that this client knows of each fenced lock, of the last {@link #MOST_KEPT} locks that it has used. */
final class KnownTokens {
    static final int MOST_KEPT = 1024;

    /** @param at the home that has drawn it or has executed a command that raised it; null if the lock has moved since */
    private record Known(long token, @Nullable Home at) {}

    /** The lock that was used longest ago comes first. Guarded by this. */
    private final Map<LockKey, Known> tokens = new LinkedHashMap<>();

    /** This home has drawn the token, or has executed a command that raised it. */
    synchronized void drawn(LockKey lock, long token, Home at) {
        Known before = tokens.remove(lock);
        tokens.put(lock, before != null && before.token() > token ? before : new Known(token, at));
        if (tokens.size() > MOST_KEPT) {
            tokens.remove(tokens.keySet().iterator().next());
        }
    }

    /** {@return the largest token of the lock, if this home may not know it; 0 otherwise} */
    synchronized long unknownTo(Home home, LockKey lock) {
        Known known = tokens.get(lock);
        return known == null || known.at() == home ? 0 : known.token();
    }

    synchronized void moved(Predicate<LockKey> moved) {
        tokens.replaceAll((lock, known) -> moved.test(lock) ? new Known(known.token(), null) : known);
    }
}
