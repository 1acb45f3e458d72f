package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meaning of a script's numeric reply for the tenure that sent the command. */
@Tag("pure")
final class AnswerTest {
    /** Its own tenure means held, a newer one late, 0 gone, and a negative number busy for that long. */
    @ParameterizedTest
    @CsvSource({
        "7, HELD, 0",
        "8, LATE, 0",
        "9223372036854775807, LATE, 0",
        "0, GONE, 0",
        "-1, BUSY, 1",
        "-30000, BUSY, 30000",
        "-4503599627370496, BUSY, 4503599627370496"
    })
    void read_number(long number, Answer.Outcome outcome, long leftMillis) {
        assertThat(Answer.ofElement(number, 7)).isEqualTo(new Answer(outcome, leftMillis, 0));
    }

    /** A reply that was paired with the wrong command has another tenure, so it is not read as a grant. */
    @Test
    void read_anotherTenure() {
        assertThat(Answer.ofElement(6L, 7).outcome()).isNotEqualTo(Answer.Outcome.HELD);
    }

    /** A reply that is not a number is an error message. */
    @Test
    void read_error() {
        assertThat(Answer.ofElement("WRONGTYPE Operation against a key", 7).outcome())
                .isEqualTo(Answer.Outcome.REFUSED);
    }
}
