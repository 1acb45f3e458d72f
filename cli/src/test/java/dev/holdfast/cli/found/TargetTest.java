package dev.holdfast.cli.found;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a key says that it is. */
@Tag("pure")
final class TargetTest {
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
