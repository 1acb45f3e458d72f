package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockType;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The orders of the table of {@code top}, and which names it has. */
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
        assertThat(EntryOrder.named(order).sorted(ENTRIES))
                .extracting(Entry::name)
                .containsExactly(names.split(" ", -1));
    }

    /** A key leads through all orders. */
    @Test
    void next_isACircle() {
        assertThat(EntryOrder.HELD.next().next()).isEqualTo(EntryOrder.NAME);
        assertThat(EntryOrder.NAME.next()).isEqualTo(EntryOrder.HELD);
        assertThatThrownBy(() -> EntryOrder.named("age"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--order must be held, line or name, was 'age'");
    }

    /** Words are names, which are read, or patterns, which are searched for; without words, all is. */
    @Test
    void wanted() {
        assertThat(Wanted.of(List.of())).satisfies(all -> assertThat(all.isSearch() && all.matches("any"))
                .isTrue());
        Wanted names = Wanted.of(List.of("a", "b:1"));
        assertThat(names.isSearch()).isFalse();
        assertThat(names.targets()).hasSize(6).contains(new Target(Target.Kind.LATCH, "b:1"));
        Wanted both = Wanted.of(List.of("a", "b:*"));
        assertThat(both.isSearch()).isTrue();
        assertThat(both.names()).containsExactly("a");
        assertThat(both.matches("a") && both.matches("b:7")).isTrue();
        assertThat(both.matches("c")).isFalse();
    }

    /** The name of what is no lock is in its key, in braces unless it has some. */
    @ParameterizedTest
    @CsvSource({
        "holdfast_semaphore:{api},SEMAPHORE,api",
        "holdfast_semaphore:{a}:b,SEMAPHORE,{a}:b",
        "holdfast_latch:{import:42},LATCH,import:42",
        "holdfast_condition:{orders},CONDITIONS,orders",
    })
    void target(String key, Target.Kind kind, String name) {
        assertThat(Target.named(key)).contains(new Target(kind, name));
        assertThat(Target.named(name)).isEmpty();
    }
}
