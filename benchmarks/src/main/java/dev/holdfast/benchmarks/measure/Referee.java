package dev.holdfast.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Watches that no two are inside a critical section at once. A word of memory says who is inside; whoever enters swaps
 * himself in for nobody, and whoever leaves the other way round. A swap that fails is a violation: it means that somebody
 * else was there. The word may lie in a file that several processes map, so that nothing needs to be asked of Redis in the
 * path that is measured.
 */
public final class Referee {
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int INSIDE = 0;
    private static final int VIOLATIONS = Long.BYTES;
    private static final int SIZE = 2 * Long.BYTES;
    private static final long NOBODY = 0;

    private final ByteBuffer words;

    private Referee(ByteBuffer words) {
        this.words = words;
    }

    /** {@return a referee for the threads of this process} */
    public static Referee local() {
        return new Referee(ByteBuffer.allocateDirect(SIZE));
    }

    /** {@return the referee that all processes share which name this file} */
    public static Referee shared(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Referee(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map " + file, e);
        }
    }

    /** Says that the contender is inside now; its number must not be 0, and must be its own. */
    public void enter(long contender) {
        swap(NOBODY, contender);
    }

    /** Says that the contender is about to leave. */
    public void leave(long contender) {
        swap(contender, NOBODY);
    }

    private void swap(long expected, long next) {
        if (!WORDS.compareAndSet(words, INSIDE, expected, next)) {
            long ignored = (long) WORDS.getAndAdd(words, VIOLATIONS, 1L);
        }
    }

    /** {@return how often somebody else was there} */
    public long violations() {
        return (long) WORDS.getVolatile(words, VIOLATIONS);
    }
}
