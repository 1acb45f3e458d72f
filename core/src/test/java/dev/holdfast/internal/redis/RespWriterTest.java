package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as they are sent: the same bytes as the driver would send. */
@Tag("pure")
final class RespWriterTest {
    private static final CommandPrefix HEAD = CommandPrefix.of(CommandType.EVALSHA, "sha".getBytes(UTF_8));

    private static String theirs(CommandArgs<byte[], byte[]> args) {
        ByteBuf out = Unpooled.buffer();
        new Command<>(CommandType.EVALSHA, new ReplyOutput(), args).encode(out);
        return out.toString(UTF_8);
    }

    private static CommandArgs<byte[], byte[]> args() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE).add("sha");
    }

    /** Strings and numbers of all sizes, in any order and number. */
    @Test
    void words_asTheDriverWritesThem() {
        Random random = new Random(42);
        for (int round = 0; round < 5_000; round++) {
            int words = random.nextInt(20);
            CommandArgs<byte[], byte[]> args = args();
            ByteBuf out = Unpooled.buffer(random.nextInt(64));
            RespWriter frame = new RespWriter(out, 2 + words, Routing.NONE).head(HEAD);
            for (int i = 0; i < words; i++) {
                byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 2_000 : 40)];
                random.nextBytes(bytes);
                long number = random.nextLong() >> random.nextInt(64);
                switch (random.nextInt(3)) {
                    case 0 -> frame.word(bytes);
                    case 1 -> {
                        String text = text(random, bytes.length);
                        frame.word(text);
                        bytes = text.getBytes(UTF_8);
                    }
                    default -> {
                        frame.number(number);
                        bytes = Long.toString(number).getBytes(UTF_8);
                    }
                }
                args.add(bytes);
            }
            frame.end();
            assertThat(out.toString(UTF_8)).isEqualTo(theirs(args));
        }
    }

    /** Numbers at which the number of digits changes, and the smallest and largest. */
    @Test
    void number_ofAnyLength() {
        LongStream powers = LongStream.iterate(1, power -> power * 10).limit(19);
        LongStream edges = LongStream.concat(powers, LongStream.of(0, Long.MAX_VALUE, Long.MIN_VALUE + 2))
                .flatMap(edge -> LongStream.rangeClosed(edge - 1, edge == Long.MAX_VALUE ? edge : edge + 1))
                .flatMap(edge -> LongStream.of(edge, -edge));
        edges.forEach(number -> {
            ByteBuf out = Unpooled.buffer(1);
            new RespWriter(out, 3, Routing.NONE).head(HEAD).number(number).end();
            assertThat(out.toString(UTF_8)).isEqualTo(theirs(args().add(Long.toString(number))));
        });
    }

    /** A command with fewer arguments than its header says would consume those of the next: it is not sent. */
    @Test
    void end_withWordsMissing() {
        assertThatThrownBy(() -> new RespWriter(Unpooled.buffer(), 3, Routing.NONE)
                        .head(HEAD)
                        .end())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 are missing");
        assertThatThrownBy(() -> new RespWriter(Unpooled.buffer(), 2, Routing.NONE)
                        .head(HEAD)
                        .number(1)
                        .end())
                .isInstanceOf(IllegalStateException.class);
    }

    /** Text is written in UTF-8, with its length in bytes; half of a surrogate pair is replaced, as by the driver. */
    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "名前 😀", "half \uD83D", "\uDE00 half"})
    void text_isUtf8(String text) {
        ByteBuf out = Unpooled.buffer(1);
        new RespWriter(out, 3, Routing.NONE).head(HEAD).word(text).end();
        assertThat(out.toString(UTF_8)).isEqualTo(theirs(args().add(text.getBytes(UTF_8))));
    }

    /** {@return text of characters of one to four bytes, none of them half of a pair} */
    private static String text(Random random, int length) {
        int[] characters = "aé名😀".codePoints().toArray();
        return random.ints(length, 0, characters.length)
                .map(index -> characters[index])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
