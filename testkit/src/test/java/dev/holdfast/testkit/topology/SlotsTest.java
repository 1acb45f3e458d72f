package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The slot of a key. */
final class SlotsTest {
    /** The checksum is the one that the specification of the cluster names, with its check value. */
    @Test
    void of_checkValue() {
        assertThat(Slots.of("123456789")).isEqualTo(0x31c3);
        assertThat(Slots.of("")).isZero();
    }

    /** Only a part between braces that is not empty decides, and only the first. */
    @Test
    void of_tag() {
        assertThat(Slots.of("a{tag}b")).isEqualTo(Slots.of("tag"));
        assertThat(Slots.of("{tag}{other}")).isEqualTo(Slots.of("tag"));
        assertThat(Slots.of("{}tag")).isNotIn(Slots.of("tag"), Slots.of(""));
        assertThat(Slots.of("{{tag}}")).isEqualTo(Slots.of("{tag"));
        assertThat(Slots.of("{tag")).isNotEqualTo(Slots.of("tag"));
    }

    /** There is a key for every slot, and it can be the tag of others. */
    @Test
    void keyIn_anySlot() {
        for (int slot : new int[] {0, 1, 8_192, Slots.COUNT - 1}) {
            assertThat(Slots.of(Slots.keyIn(slot))).isEqualTo(slot);
            assertThat(Slots.of("{" + Slots.keyIn(slot) + "}:more")).isEqualTo(slot);
        }
        assertThatThrownBy(() -> Slots.keyIn(Slots.COUNT)).hasMessageContaining("between 0 and 16383");
    }
}
