package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.RespWriter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock's name, its key, and what belongs to it in Redis. Each hold and each waiter has one, so it keeps no encoded
 * form of them: text is encoded as it is written.
 *
 * <p>Companion names share the key's hash tag, so that on a cluster they are in its slot: {@code prefix:{name}}, or
 * {@code prefix:name} when the name already has a brace.
 */
public final class LockKey implements SynchronizerKey {
    private final Kind kind;

    /** Of a semaphore: how many permits there are, as a request names them. Unused by others. */
    private final int limit;

    private final String name;
    private final String key;

    /** Created by the first release, since a hold alone does not need it. A race is benign: every write is equal. */
    private volatile @Nullable String channel;

    /** Computed when it is first needed, which is never on a standalone server; -1 before. A race is benign. */
    private volatile short slot = -1;

    public LockKey(Kind kind, String name, String keyPrefix) {
        this(kind, name, keyPrefix, 0);
    }

    /** @param limit how many permits the semaphore has */
    public LockKey(Kind kind, String name, String keyPrefix, int limit) {
        this(name, kind.key(keyPrefix.isEmpty() ? name : keyPrefix + name), kind, limit);
    }

    private LockKey(String name, String key, Kind kind, int limit) {
        this.kind = kind;
        this.limit = limit;
        this.name = name;
        this.key = key;
    }

    /** {@return the other side of the lock, which has the same key; null if it has none} */
    public @Nullable LockKey otherSide() {
        Kind other = kind.otherSide();
        return other == null ? null : new LockKey(name, key, other, 0);
    }

    /** {@return the name of what belongs to a key, in its slot} */
    public static String companion(String prefix, String key) {
        return key.indexOf('{') >= 0 ? prefix + ":" + key : prefix + ":{" + key + "}";
    }

    /**
     * {@return a channel on which nothing is published: that of a client for a lock that nobody uses}
     *
     * @param key of that lock
     */
    public static String unusedChannel(String key, String clientId) {
        return companion(PlainKind.CHANNEL_PREFIX, key) + ":" + clientId;
    }

    public Kind kind() {
        return kind;
    }

    /** {@return how many permits the semaphore has; for others 0} */
    public int limit() {
        return limit;
    }

    public LockType type() {
        return kind.type();
    }

    /** {@return the name the user gave} */
    @Override
    public String name() {
        return name;
    }

    /** {@return the key that exists while the lock is held} */
    @Override
    public String key() {
        return key;
    }

    /** {@return all its keys, this one first} */
    @Override
    public List<String> keys() {
        return Stream.concat(Stream.of(key), kind.companions(this).stream()).toList();
    }

    /** {@return the channel on which releases are published} */
    @Override
    public String channel() {
        String known = channel;
        if (known == null) {
            known = companion(kind.channelPrefix(), key);
            channel = known;
        }
        return known;
    }

    /** Writes how a release is published. */
    RespWriter publication(RespWriter frame) {
        return frame.word(channel()).publish();
    }

    /** {@return the hash slot of its key, which decides where in a cluster the lock is} */
    @Override
    public int slot() {
        int known = slot;
        if (known < 0) {
            known = HashSlot.of(key);
            slot = (short) known;
        }
        return known;
    }

    @Override
    public String noun() {
        return kind.noun();
    }

    @Override
    public String redisType() {
        return "hash";
    }

    @Override
    public String commandRights() {
        return kind.commandRights();
    }

    @Override
    public @Nullable String explain(String error) {
        return kind.explain(this, error);
    }

    /** {@return whether all keys and channels of this lock are in its slot, as is necessary in a cluster} */
    public boolean isInOneSlot() {
        return Stream.concat(Stream.of(channel()), kind.companions(this).stream())
                .allMatch(each -> HashSlot.of(each) == slot());
    }

    /** {@return whether the two are one lock in Redis: of one name, and of kinds with one {@linkplain Kind#identity identity}} */
    @Override
    public boolean equals(Object other) {
        return other instanceof LockKey that
                && name.equals(that.name)
                && (kind == that.kind || kind.identity().equals(that.kind.identity()));
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
