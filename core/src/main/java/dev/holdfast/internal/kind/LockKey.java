package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.BulkString;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lock's name as it is sent to Redis, encoded once.
 *
 * <p>Companion names share the key's hash tag, so that on a cluster they are in its slot: {@code prefix:{name}}, or
 * {@code prefix:name} when the name already has a brace.
 */
public final class LockKey {
    private final Kind kind;
    private final String name;
    private final String prefixed;
    private final BulkString key;

    /** Created by the first release, since a hold alone does not need it. A race is benign: every write is equal. */
    private volatile @Nullable BulkString channelWord;

    /** Created by the first acquire of a fenced lock. A race is benign: every write is equal. */
    private volatile @Nullable BulkString tokensWord;

    public LockKey(Kind kind, String name, String keyPrefix) {
        this.kind = kind;
        this.name = name;
        this.prefixed = keyPrefix.isEmpty() ? name : keyPrefix + name;
        this.key = BulkString.of(prefixed);
    }

    static String companion(String prefix, String key) {
        return key.indexOf('{') >= 0 ? prefix + ":" + key : prefix + ":{" + key + "}";
    }

    public Kind kind() {
        return kind;
    }

    public LockType type() {
        return kind.type();
    }

    /** {@return the name the user gave} */
    public String name() {
        return name;
    }

    public BulkString key() {
        return key;
    }

    /** {@return the key as text: the name with the client's prefix} */
    public String keyText() {
        return prefixed;
    }

    /** {@return the channel on which releases are published} */
    public String channel() {
        return companion(kind.channelPrefix(), prefixed);
    }

    public BulkString channelWord() {
        BulkString known = channelWord;
        if (known == null) {
            known = BulkString.of(channel());
            channelWord = known;
        }
        return known;
    }

    /** {@return the key of the last token that was drawn for the lock, if it is fenced} */
    public String tokens() {
        return companion("redisson_lock_token", prefixed);
    }

    BulkString tokensWord() {
        BulkString known = tokensWord;
        if (known == null) {
            known = BulkString.of(tokens());
            tokensWord = known;
        }
        return known;
    }

    /**
     * {@return whether the two are one lock in Redis} Plain and fenced locks of one name are; their releases are
     * published on the same channel.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof LockKey that
                && name.equals(that.name)
                && Objects.equals(kind.channelPrefix(), that.kind.channelPrefix());
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
