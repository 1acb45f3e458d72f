package dev.holdfast.internal.latch;

import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.kind.SynchronizerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A latch's name, its keys and its channel. The count and the channel are those of Redisson's {@code RCountDownLatch}. */
public final class LatchKey implements SynchronizerKey {
    private final String name;
    private final String key;
    private final String record;
    private final String channel;

    public LatchKey(String name, String keyPrefix) {
        this.name = name;
        this.key = keyPrefix + name;
        this.record = "holdfast_latch:{" + key + "}";
        this.channel = "redisson_countdownlatch__channel__{" + key + "}";
    }

    @Override
    public String name() {
        return name;
    }

    /** {@return the key of the count} */
    @Override
    public String key() {
        return key;
    }

    /** {@return the key of what is known besides the count} */
    public String record() {
        return record;
    }

    @Override
    public List<String> keys() {
        return List.of(key, record);
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public int slot() {
        return HashSlot.of(key);
    }

    /**
     * {@return whether its keys and its channel are in one slot, as is necessary in a cluster} They are not if the name has a
     * hash tag of its own: Redisson encloses the whole name in that of the channel.
     */
    public boolean isInOneSlot() {
        return HashSlot.of(record) == slot() && HashSlot.of(channel) == slot();
    }

    @Override
    public String noun() {
        return "latch";
    }

    @Override
    public String redisType() {
        return "string";
    }

    @Override
    public String commandRights() {
        return LatchScripts.COMMAND_RIGHTS;
    }

    @Override
    public @Nullable String explain(String error) {
        return error.contains("NOLATCH")
                ? "the key '" + key + "' or '" + record + "' holds something else; another program uses the name"
                : null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LatchKey that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
