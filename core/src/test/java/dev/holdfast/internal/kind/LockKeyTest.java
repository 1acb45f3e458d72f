package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.topology.Slots;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** A lock is in the slot of its key, of which only the part between the first braces counts. */
    @ParameterizedTest
    @ValueSource(
            strings = {"123456789", "orders", "{orders}:42", "shop:{orders}:{42}", "or{der", "or}der", "{}x", "\u00e4"})
    void slot_isThatOfTheKey(String name) {
        assertThat(new LockKey(plain, name, "").slot()).isEqualTo(Slots.of(name));
    }

    /** The slot of a text that the specification names, and of the largest slot: both are known before and after. */
    @Test
    void slot_ofKnownKeys() {
        LockKey key = new LockKey(plain, "123456789", "");
        assertThat(key.slot()).isEqualTo(0x31C3);
        assertThat(key.slot()).isEqualTo(0x31C3);
        assertThat(new LockKey(plain, Slots.keyIn(16_383), "").slot()).isEqualTo(16_383);
        assertThat(new LockKey(plain, Slots.keyIn(0), "").slot()).isZero();
    }

    /** All that belongs to a lock is in its slot, except for names whose braces are no hash tag. */
    @ParameterizedTest
    @CsvSource({
        "orders, true",
        "{orders}:42, true",
        "shop:{orders}:{42}, true",
        "or{der, false",
        "or}der, false",
        "{}, false"
    })
    void isInOneSlot(String name, boolean inOne) {
        assertThat(new LockKey(plain, name, "").isInOneSlot()).isEqualTo(inOne);
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
