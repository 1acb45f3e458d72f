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
 * Checks that no two contenders are inside a critical section at once. A word of memory has the number of the contender
 * inside. A contender that enters replaces the empty word by its number, and one that leaves replaces its number by the
 * empty word. A compare-and-set that fails is a violation: another contender was inside. The word may be in a file that
 * several processes map, so the check sends nothing to Redis on the measured path.
 *
 * <p>Contenders that read are counted in another word: one that reads while a number is in the first word is a violation, as is one
 * that writes while others read. So are the permits in use, if they have a limit.
 */
public final class Referee {
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int INSIDE = 0;
    private static final int VIOLATIONS = Long.BYTES;
    private static final int READERS = 2 * Long.BYTES;
    private static final int SIZE = 3 * Long.BYTES;
    private static final long EMPTY = 0;

    private final ByteBuffer words;

    private Referee(ByteBuffer words) {
        this.words = words;
    }

    /** {@return a referee for the threads of this process} */
    public static Referee local() {
        return new Referee(ByteBuffer.allocateDirect(SIZE));
    }

    /** {@return the referee that is shared by all processes that name this file} */
    public static Referee shared(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Referee(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map " + file, e);
        }
    }

    /** Records that the contender is inside now; its number must not be 0, and no other contender may have it. */
    public void enter(long contender) {
        swap(EMPTY, contender);
    }

    /** Records that the contender is about to leave. */
    public void leave(long contender) {
        swap(contender, EMPTY);
    }

    /** Records that the contender, which excludes all others, is inside now. */
    public void enterToWrite(long contender) {
        enter(contender);
        expectNone(READERS);
    }

    /** Records that a contender, which others may join, is inside now. */
    public void enterToRead() {
        count(READERS, 1);
        expectNone(INSIDE);
    }

    /** Records that such a contender is about to leave. */
    public void leaveAsReader() {
        expectNone(INSIDE);
        count(READERS, -1);
    }

    /**
     * Records that a contender with so many permits is inside now.
     *
     * @param limit how many may be in use
     */
    public void enterWith(int permits, int limit) {
        if (count(READERS, permits) + permits > limit) {
            count(VIOLATIONS, 1);
        }
    }

    /** Records that a contender with so many permits is about to leave. */
    public void leaveWith(int permits) {
        count(READERS, -permits);
    }

    private void expectNone(int word) {
        if ((long) WORDS.getVolatile(words, word) != EMPTY) {
            count(VIOLATIONS, 1);
        }
    }

    /** {@return the count before} */
    private long count(int word, long more) {
        return (long) WORDS.getAndAdd(words, word, more);
    }

    private void swap(long expected, long next) {
        if (!WORDS.compareAndSet(words, INSIDE, expected, next)) {
            count(VIOLATIONS, 1);
        }
    }

    /** {@return the number of violations} */
    public long violations() {
        return (long) WORDS.getVolatile(words, VIOLATIONS);
    }
}
