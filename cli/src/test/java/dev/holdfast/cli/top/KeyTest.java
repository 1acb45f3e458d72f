package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The codes of keys, as terminals send them. */
@Tag("pure")
final class KeyTest {
    /** An escape alone, and those with which the codes of arrows and their neighbours begin. */
    @ParameterizedTest
    @CsvSource({
        "'',ESCAPE",
        "[A,UP",
        "OA,UP",
        "[B,DOWN",
        "OB,DOWN",
        "[5~,PAGE_UP",
        "[6~,PAGE_DOWN",
        "[H,HOME",
        "[4~,END",
        "[15~,OTHER"
    })
    void decode_sequences(String rest, Key.Name name) {
        assertThat(Key.decode("\u001b" + rest)).isEqualTo(Key.of(name));
        assertThat(Key.isComplete("\u001b" + rest)).isEqualTo(!rest.isEmpty());
    }

    /** A code that is not complete is waited for, and one of a character is. */
    @Test
    void isComplete() {
        assertThat(Key.isComplete("\u001b[1")).isFalse();
        assertThat(Key.isComplete("\u001bO")).isFalse();
        assertThat(Key.isComplete("q")).isTrue();
    }

    /** Characters of any script, and the control characters that mean something. */
    @Test
    void decode_characters() {
        assertThat(Key.decode("q")).isEqualTo(Key.of('q'));
        assertThat(Key.decode("注")).isEqualTo(Key.of('注'));
        assertThat(Key.decode("\r")).isEqualTo(Key.of(Key.Name.ENTER));
        assertThat(Key.decode("\u007f")).isEqualTo(Key.of(Key.Name.BACKSPACE));
        assertThat(Key.decode("\u0003")).isEqualTo(Key.of(Key.Name.INTERRUPT));
        assertThat(Key.decode("\u001a")).isEqualTo(Key.of(Key.Name.OTHER));
    }
}
