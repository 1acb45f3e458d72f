package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TableTest {
    /** Every column is as wide as its widest cell, whether that is the title or a value. */
    @Test
    void lines_aligned() {
        assertThat(new Table("n", "sold").row("1", "12345").row("all", "7").lines())
                .containsExactly(
                        "  n   sold", //
                        "---  -----",
                        "  1  12345",
                        "all      7");
    }

    /** A row with another number of cells than titles is rejected. */
    @Test
    void row_wrongWidth() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Table("n", "sold").row("1"))
                .withMessageContaining("2 columns, was 1");
    }
}
