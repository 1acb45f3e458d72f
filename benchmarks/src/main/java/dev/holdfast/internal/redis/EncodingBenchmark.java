package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.PlainKind;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The cost of creating a call and of writing it to the buffer that is sent, compared with the arguments of the driver.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncodingBenchmark {
    private static final long LEASE_MILLIS = 30_000;

    private final Script acquire = Script.load(PlainKind.class, "acquire.lua");
    private final String key = "orders:4711";
    private final byte[] owner = "1d1b8f0c-6f7e-4b7e-9a53-0c8f6f0a7f11:42".getBytes(US_ASCII);
    private final ByteBuf out = Unpooled.directBuffer(1_024);
    private long tenure = 1_000_000;

    /** Creates and encodes the call of an acquire. */
    @Benchmark
    public int call() {
        long next = ++tenure;
        ScriptCommand wire = (ScriptCommand) acquire.call(
                1,
                4,
                frame -> frame.word(key).word(owner).number(next).number(1).number(LEASE_MILLIS),
                completed -> {});
        wire.encode(out.clear());
        return out.readableBytes();
    }

    /** The same with the arguments of the driver. */
    @Benchmark
    public int argumentsOfTheDriver() {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("0123456789012345678901234567890123456789")
                .add(1)
                .addKey(key.getBytes(UTF_8))
                .addValue(owner)
                .addValue(Long.toString(++tenure).getBytes(US_ASCII))
                .addValue("1".getBytes(US_ASCII))
                .addValue(Long.toString(LEASE_MILLIS).getBytes(US_ASCII));
        Command<byte[], byte[], Long> command =
                new Command<>(CommandType.EVALSHA, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments);
        command.encode(out.clear());
        return out.readableBytes();
    }
}
