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
 * Whose turn it is: a word in a file that several processes map, so that a turn sends nothing to Redis but what the lock needs. It is
 * read and written under that lock.
 */
public final class Baton {
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int DROPPED = -1;

    private final ByteBuffer word;

    private Baton(ByteBuffer word) {
        this.word = word;
    }

    /** {@return the baton that is shared by all processes that name this file; the first turn is that of number 0} */
    public static Baton shared(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Baton(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map " + file, e);
        }
    }

    /** {@return whether it is the turn of this number, or the last turn is over} */
    public boolean isFor(int number) {
        long turn = (long) WORDS.getVolatile(word, 0);
        return turn == number || turn == DROPPED;
    }

    /** {@return whether the last turn is over} */
    public boolean isDropped() {
        return (long) WORDS.getVolatile(word, 0) == DROPPED;
    }

    /** The next turn is that of this number. */
    public void passTo(int number) {
        WORDS.setVolatile(word, 0, (long) number);
    }

    /** No turn follows. */
    public void drop() {
        passTo(DROPPED);
    }
}
