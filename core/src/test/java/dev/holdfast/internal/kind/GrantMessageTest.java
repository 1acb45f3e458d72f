package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of the message of a grant. */
@Tag("pure")
final class GrantMessageTest {
    /** The owner, its tenure and the server's time; a plain lock has no token. */
    @Test
    void parse_plain() {
        assertThat(GrantMessage.parse("b02c:-7 12 1795428436562000"))
                .isEqualTo(new GrantMessage("b02c:-7", -7, 12, 1795428436562000L, 0));
    }

    /** A fenced lock may have a token. */
    @Test
    void parse_fenced() {
        assertThat(GrantMessage.parse("b02c:7 12 1795428436562000 9223372036854775807"))
                .isEqualTo(new GrantMessage("b02c:7", 7, 12, 1795428436562000L, Long.MAX_VALUE));
    }

    /** Words that a later version adds are ignored; the token is the first of them if that is a number. */
    @ParameterizedTest
    @CsvSource({"b02c:7 12 1 5 word 6, 5", "b02c:7 12 1 0 word, 0", "b02c:7 12 1 word 6, 0"})
    void parse_furtherWords(String message, long drawn) {
        assertThat(GrantMessage.parse(message)).isEqualTo(new GrantMessage("b02c:7", 7, 12, 1, drawn));
    }

    /** What another program publishes grants nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "7 12 1",
                "b02c:7 12",
                "b02c:x 1 1",
                "b02c:7 1 one",
                "b02c:7 9999999999999999999 1",
                "b02c:7 12 1x",
                "b02c:7 1 1 9223372036854775808"
            })
    void parse_malformed(String message) {
        assertThat(GrantMessage.parse(message)).isNull();
    }

    /** A grant is to one tenure of one owner. */
    @Test
    void isTo_ownerAndTenure() {
        GrantMessage grant = new GrantMessage("b02c:7", 7, 12, 1, 0);
        assertThat(grant.isTo("b02c:7", 12)).isTrue();
        assertThat(grant.isTo("b02c:7", 13)).isFalse();
        assertThat(grant.isTo("b02c:8", 12)).isFalse();
    }
}
