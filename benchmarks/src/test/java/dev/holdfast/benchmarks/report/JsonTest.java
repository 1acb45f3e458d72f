package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values as JSON. */
class JsonTest {
    /** Lists, numbers and text, nested, with characters that must be escaped. */
    @Test
    void of_nestedValues_isJson() {
        assertThat(Json.of(Map.of("a \"b\"\n", List.of(1.0, 2.5, "c\\d")))).isEqualTo("""
                        {
                          "a \\"b\\"\\u000a": [
                            1,
                            2.500,
                            "c\\\\d"
                          ]
                        }
                        """);
    }

    /** An empty list has nothing between its brackets. */
    @Test
    void of_emptyList_isEmpty() {
        assertThat(Json.of(List.of())).isEqualTo("[]\n");
    }
}
