package dev.holdfast.cli.found;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of names, beside those of Redis. */
@TestInstance(Lifecycle.PER_CLASS)
final class NamePatternTest {
    private static final List<String> NAMES = List.of(
            "a", "b", "ab", "abc", "a-c", "a]c", "a[c", "a\\", "a\\c", "a*c", "a?c", "a^c", "ä", "a\nc", "a.c", "{a}");

    private final RedisServer server = RedisServer.builder().start();

    @BeforeAll
    void create() {
        NAMES.forEach(name -> server.command("SET", name, ""));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** The names that match are those of {@code KEYS}; what Redis is asked for contains them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "a",
                "a*",
                "*c",
                "*b*",
                "?",
                "??",
                "a?c",
                "[ab]",
                "[^a]",
                "a[a-z]c",
                "a[z-a]c",
                "a[^b]c",
                "a[]c",
                "a[]]c",
                "a[^]c",
                "a[\\]-^]c",
                "a[b-]c",
                "a[b",
                "a[",
                "a\\",
                "a\\\\",
                "a\\*c",
                "a\\?c",
                "a[*]c",
                "a[[]c",
                "[ä]",
                "{a}",
                "a.c",
                "[\\",
                "a[^"
            })
    void matches_asKeysDoes(String glob) {
        NamePattern pattern = NamePattern.of(glob);
        assertThat(NAMES.stream().filter(pattern::matches))
                .containsExactlyInAnyOrderElementsOf(keys(glob))
                .isSubsetOf(keys(pattern.ofKeys()));
    }

    private List<String> keys(String glob) {
        return server.command("KEYS", glob) instanceof List<?> keys
                ? keys.stream().map(String::valueOf).toList()
                : List.of();
    }
}
