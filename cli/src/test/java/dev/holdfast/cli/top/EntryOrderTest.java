package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockType;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The orders of the table of {@code top}. */
@Tag("pure")
final class EntryOrderTest {
    private static final List<Entry> ENTRIES = List.of(
            Entries.latch("e", 1),
            Entries.lock("d", 1, LockType.PLAIN),
            Entries.redissons("a"),
            Entries.lock("b", 7),
            Entries.condition("c", "full", 3));

    /** What has been held longest is first, and then that of which it is not known, by name; or the longest line; or the name. */
    @ParameterizedTest
    @CsvSource({"held,b d a c e", "line,c d a b e", "name,a b c d e"})
    void sorted(String order, String names) {
        assertThat(EntryOrder.named(order).orElseThrow().sorted(ENTRIES))
                .extracting(Entry::name)
                .containsExactly(names.split(" ", -1));
    }

    /** A key leads through all orders. */
    @Test
    void next_isACircle() {
        assertThat(EntryOrder.HELD.next().next()).isEqualTo(EntryOrder.NAME);
        assertThat(EntryOrder.NAME.next()).isEqualTo(EntryOrder.HELD);
        assertThat(EntryOrder.named("age")).isEmpty();
    }
}
