package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How replies of every shape are read. */
@Tag("pure")
final class ReplyOutputTest {
    private final ReplyOutput output = new ReplyOutput();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    /** A single integer is the number, and the only element. */
    @Test
    void number_alone() {
        output.set(-42);
        assertThat(output.number()).isEqualTo(-42);
        assertThat(output.elements()).containsExactly(-42L);
    }

    /** Integers and strings keep their order, however they were nested. */
    @Test
    void elements_areFlat() {
        output.multi(3);
        output.set(1);
        output.multi(2);
        output.set(bytes("名前"));
        output.set(2);
        output.set(true);
        output.set(1.5);
        assertThat(output.elements()).containsExactly(1L, "名前", 2L, 1L, "1.5");
        assertThat(output.number()).isEqualTo(1);
    }

    /** Nil is an empty string. */
    @Test
    void nil_isEmpty() {
        output.set((ByteBuffer) null);
        assertThat(output.elements()).containsExactly("");
    }

    /** The first integer is the number, also after a string; without an integer there is no number. */
    @Test
    void number_missing() {
        output.set(bytes("text"));
        assertThatThrownBy(output::number)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("text");
        output.set(7);
        assertThat(output.number()).isEqualTo(7);
        assertThat(new ReplyOutput().elements()).isEmpty();
    }

    /**
     * A reply can belong to a call if its first integer is at least the expected number, or not positive; without an
     * integer it cannot.
     */
    @Test
    void isFrom_firstInteger() {
        assertThat(output.isFrom(5)).isFalse();
        output.set(bytes("text"));
        assertThat(output.isFrom(5)).isFalse();
        output.set(5);
        output.set(4);
        assertThat(output.isFrom(5)).isTrue();
        assertThat(output.isFrom(6)).isFalse();
        for (long number : new long[] {Long.MIN_VALUE, -1, 0, 5, Long.MAX_VALUE}) {
            ReplyOutput alone = new ReplyOutput();
            alone.set(number);
            assertThat(alone.isFrom(5)).as("%d", number).isTrue();
        }
        for (long number : new long[] {1, 4}) {
            ReplyOutput alone = new ReplyOutput();
            alone.set(number);
            assertThat(alone.isFrom(5)).as("%d", number).isFalse();
        }
    }

    /**
     * An array can belong to a call if it has the expected number of elements, each a string or an integer that is at
     * least the expected one or not positive.
     */
    @Test
    void isFromEach_inOrder() {
        assertThat(output.isFromEach(new long[] {5})).isFalse();
        output.set(5);
        assertThat(output.isFromEach(new long[] {5})).as("alone").isFalse();
        output.multi(4);
        assertThat(output.isFromEach(new long[] {5})).isTrue();
        assertThat(output.isFromEach(new long[] {6})).isFalse();
        output.set(bytes("text"));
        output.set(-1);
        output.set(4);
        assertThat(output.isFromEach(new long[] {5, 9, 9, 4})).isTrue();
        assertThat(output.isFromEach(new long[] {5, 9, 9, 5})).isFalse();
        assertThat(output.isFromEach(new long[] {5, 9, 9})).isFalse();
        assertThat(output.isFromEach(new long[] {5, 9, 9, 4, 1})).isFalse();
        output.set((ByteBuffer) null);
        assertThat(output.isFromEach(new long[] {5, 9, 9, 4, 1})).isFalse();
    }

    /** One kind of error means that the server does not know the script. */
    @Test
    void noScript_isAnError() {
        assertThat(output.isNoScript()).isFalse();
        output.setError(bytes("NOSCRIPT No matching script."));
        assertThat(output.isNoScript()).isTrue();
        output.setError(bytes("ERR something else"));
        assertThat(output.isNoScript()).isFalse();
    }
}
