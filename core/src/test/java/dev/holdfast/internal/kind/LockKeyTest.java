package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Redis key and channel of a lock name. */
@Tag("pure")
final class LockKeyTest {
    private final Kind plain = new PlainKind();

    /** A channel shares its lock's hash tag: the whole key is the tag, unless the key has a brace of its own. */
    @ParameterizedTest
    @CsvSource({
        "orders, redisson_lock__channel:{orders}",
        "{orders}:42, redisson_lock__channel:{orders}:42",
        "or{der, redisson_lock__channel:or{der",
        "or}der, redisson_lock__channel:{or}der}",
        "{}, redisson_lock__channel:{}"
    })
    void channel_sharesTheTag(String name, String channel) {
        LockKey key = new LockKey(plain, name, "");
        assertThat(key.channel()).isEqualTo(channel);
    }

    /** A prefix is part of the key and of the channel, and not of the name. */
    @Test
    void prefix_isPartOfTheKey() {
        LockKey key = new LockKey(plain, "orders", "shop:");
        assertThat(key.key()).isEqualTo("shop:orders");
        assertThat(key.channel()).isEqualTo("redisson_lock__channel:{shop:orders}");
        assertThat(key.name()).isEqualTo("orders");
        assertThat(key).hasToString("orders");
    }

    /** Two keys are equal if they are one lock in Redis, as plain and fenced locks of one name are. */
    @Test
    void equals_oneLock() {
        LockKey key = new LockKey(plain, "orders", "");
        assertThat(key).isEqualTo(new LockKey(plain, "orders", "")).hasSameHashCodeAs(new LockKey(plain, "orders", ""));
        assertThat(key).isEqualTo(new LockKey(new FencedKind(null), "orders", ""));
        assertThat(key).isNotEqualTo(new LockKey(plain, "other", ""));
    }
}
