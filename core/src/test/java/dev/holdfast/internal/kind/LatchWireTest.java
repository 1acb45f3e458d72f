package dev.holdfast.internal.kind;

import static dev.holdfast.internal.kind.WireTest.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.latch.LatchKey;
import dev.holdfast.internal.latch.LatchScripts;
import dev.holdfast.internal.latch.LatchState;
import dev.holdfast.internal.latch.LatchState.How;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java code that uses the scripts of the latch does what the page says, beyond what {@link WireTest} checks. */
@Tag("pure")
final class LatchWireTest {
    private static List<String> column(String heading, int column) {
        return WirePage.LATCH.rows(heading).stream()
                .map(row -> WirePage.code(row.get(column)))
                .toList();
    }

    private static List<String> ofName(String name, String heading) {
        return column(heading, heading.equals("Keys") ? (name.contains("{") ? 2 : 0) : name.contains("{") ? 1 : 0)
                .stream()
                .map(pattern -> pattern.replace("<name>", name))
                .toList();
    }

    /** The keys and the channel of a latch have the patterns of the page. */
    @Test
    void patterns_areThoseOfThePage() {
        for (String name : List.of("orders", "{orders}:42")) {
            LatchKey latch = new LatchKey(name, "");
            assertThat(latch.keys()).isEqualTo(ofName(name, "Keys"));
            assertThat(List.of(latch.channel())).isEqualTo(ofName(name, "Channels"));
        }
    }

    /** The replies are read as what the page says. */
    @Test
    void replies_areRead() {
        assertThat(column("Replies", 1))
                .contains("number, result", "number, result, error", "count, how, generation, since, gone, left");
        assertThat(LatchScripts.result(answered(7L, "1700000000000003"))).isEqualTo(1_700_000_000_000_003L);
        assertThat(LatchScripts.refusal(answered(7L, "1"))).isNull();
        assertThat(LatchScripts.refusal(answered(7L, "1", "NOPERM"))).isEqualTo("NOPERM");
        assertThat(LatchState.of(answered(3L, "counting", "1700000000000003", "1700000000000002", "expired", 5_000L)))
                .isEqualTo(new LatchState(
                        3, How.COUNTING, 1_700_000_000_000_003L, 1_700_000_000_000_002L, How.EXPIRED, 5_000));
        for (How how : How.values()) {
            String word = how.name().toLowerCase(Locale.ROOT);
            assertThat(LatchState.of(answered(0L, word, "0", "0", "none", -2L)).how())
                    .isEqualTo(how);
        }
    }
}
