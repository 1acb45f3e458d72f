package dev.holdfast.internal.condition;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.SynchronizerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of a lock: one key for all of them, in the slot of the lock. */
public final class ConditionKey implements SynchronizerKey {
    private final LockKey lock;
    private final String key;

    public ConditionKey(LockKey lock) {
        this.lock = lock;
        this.key = LockKey.companion("holdfast_condition", lock.key());
    }

    public LockKey lock() {
        return lock;
    }

    /** {@return the name of the lock} */
    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public List<String> keys() {
        return List.of(key, lock.key());
    }

    /** {@return the channel of the lock, which the names of those of its waiters' clients begin with} */
    @Override
    public String channel() {
        return lock.channel();
    }

    /** {@return the channel on which this client is notified} */
    public String channelOf(String clientId) {
        return lock.channel() + ":" + clientId + ":signals";
    }

    @Override
    public int slot() {
        return lock.slot();
    }

    @Override
    public String noun() {
        return "condition of lock";
    }

    @Override
    public String redisType() {
        return "hash";
    }

    @Override
    public String commandRights() {
        return ConditionScripts.COMMAND_RIGHTS;
    }

    @Override
    public @Nullable String explain(String error) {
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConditionKey that && lock.equals(that.lock);
    }

    @Override
    public int hashCode() {
        return lock.hashCode();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
