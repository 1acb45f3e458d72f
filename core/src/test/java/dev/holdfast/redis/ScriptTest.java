package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A script as a file, and how it is named and called. */
final class ScriptTest {
    private final Script acquire = Script.load(Holdfast.class, "acquire.lua");

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** A script is read as it stands beside its class. */
    @Test
    void load_readsTheFile() {
        assertThat(new String(acquire.source(), UTF_8)).startsWith("-- acquire.lua: ");
        assertThat(acquire.toString()).matches("acquire.lua \\([0-9a-f]{40}\\)");
    }

    /** One that is missing is told by its name and place. */
    @Test
    void load_missing() {
        assertThatThrownBy(() -> Script.load(Holdfast.class, "nowhere.lua"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nowhere.lua")
                .hasMessageContaining(Holdfast.class.getName());
    }

    /** In full, a call is the same but for the source in place of the SHA; the call by SHA is left as it was. */
    @Test
    void inFull_replacesTheSha() {
        byte[][] bySha = {ascii("sha"), ascii("1"), ascii("key"), ascii("argument")};
        byte[][] full = acquire.inFull(bySha);
        assertThat(full[0]).isEqualTo(acquire.source());
        assertThat(Stream.of(full).skip(1))
                .containsExactlyElementsOf(Stream.of(bySha).skip(1).toList());
        assertThat(bySha[0]).isEqualTo(ascii("sha"));
    }
}
