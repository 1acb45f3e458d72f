package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.kind.PlainKind;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script as a file, its name and its call. */
@Tag("pure")
@Tag("driver")
final class ScriptTest {
    private final Script acquire = Script.load(PlainKind.class, "acquire.lua");

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** A script is read from the file beside its class, unchanged. */
    @Test
    void load_readsTheFile() {
        assertThat(new String(acquire.source(), UTF_8)).startsWith("-- acquire.lua: ");
        assertThat(acquire.toString()).matches("acquire.lua \\([0-9a-f]{40}\\)");
    }

    /** A file that a script includes takes the place of the line that names it. */
    @Test
    void load_includes() {
        String source = new String(acquire.source(), UTF_8);
        assertThat(source).doesNotContain("-- include ").containsOnlyOnce("local function draw(tokens)");
        assertThat(source.indexOf("local function draw(tokens)")).isLessThan(source.lastIndexOf("draw(tokens)"));
    }

    /** The exception for a missing script has its name and place. */
    @Test
    void load_missing() {
        assertThatThrownBy(() -> Script.load(PlainKind.class, "nowhere.lua"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nowhere.lua")
                .hasMessageContaining(PlainKind.class.getName());
    }

    /**
     * A script that the server does not know is sent again with its source in place of the SHA, otherwise unchanged.
     */
    @Test
    void inFull_replacesTheSha() {
        ScriptCommand call = (ScriptCommand)
                acquire.call(1, 1, frame -> frame.word(ascii("key")).number(42), completed -> {});
        assertThat(encoded(call)).isEqualTo(encoded(CommandType.EVALSHA, sha1(acquire.source())));

        Epoch epoch = new Epoch(1, new EmbeddedChannel(), Routing.NONE, (ended, why) -> {});
        epoch.send(call, 0);
        call.getOutput().setError("NOSCRIPT No matching script.");
        call.complete();
        assertThat(encoded(call)).isEqualTo(encoded(CommandType.EVAL, acquire.source()));
        assertThat(call.isDone()).isFalse();
    }

    private static String encoded(ScriptCommand call) {
        ByteBuf out = Unpooled.buffer();
        call.encode(out);
        return out.toString(UTF_8);
    }

    private static String encoded(CommandType type, byte[] script) {
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script)
                .add(1)
                .addKey(ascii("key"))
                .add(42);
        ByteBuf out = Unpooled.buffer();
        new Command<>(type, new ReplyOutput(), args).encode(out);
        return out.toString(UTF_8);
    }

    private static byte[] sha1(byte[] source) {
        try {
            return ascii(
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
