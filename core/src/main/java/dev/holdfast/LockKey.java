package dev.holdfast;

import dev.holdfast.redis.Word;

/**
 * A lock's name as it goes over the wire, encoded once.
 *
 * <p>Companion names share the key's hash tag, so that on a cluster they live in its slot: {@code prefix:{name}}, or
 * {@code prefix:name} when the name already has a brace.
 */
final class LockKey {
    private final LockKind kind;
    private final String name;
    private final Word key;
    private final String channel;
    private final Word channelWord;

    LockKey(LockKind kind, String name, String keyPrefix) {
        String prefixed = keyPrefix + name;
        this.kind = kind;
        this.name = name;
        this.key = Word.of(prefixed);
        this.channel = companion(kind.channelPrefix(), prefixed);
        this.channelWord = Word.of(channel);
    }

    static String companion(String prefix, String key) {
        return key.indexOf('{') >= 0 ? prefix + ":" + key : prefix + ":{" + key + "}";
    }

    LockKind kind() {
        return kind;
    }

    /** {@return the name the user gave} */
    String name() {
        return name;
    }

    Word key() {
        return key;
    }

    /** {@return the key as people write it: the name with the client's prefix} */
    String keyText() {
        return key.toString();
    }

    /** {@return where releases are announced} */
    String channel() {
        return channel;
    }

    Word channelWord() {
        return channelWord;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockKey that && kind == that.kind && name.equals(that.name);
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
