package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.found.Target;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which names {@code top} shows. */
@Tag("pure")
final class WantedTest {
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
}
