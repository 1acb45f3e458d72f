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
import java.util.ArrayList;
import java.util.List;

/**
 * The times at which each client held the lock: a file that several processes map and append to. The times are those of
 * the machine's monotonic clock, which its processes share. Entries beyond the capacity of the file are dropped.
 */
public final class Journal {
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int MOST = 1 << 20;
    private static final int ENTRY = 4 * Long.BYTES;
    private static final int HEAD = Long.BYTES;

    private final ByteBuffer words;

    private Journal(ByteBuffer words) {
        this.words = words;
    }

    /**
     * One hold.
     *
     * @param client the number of the client
     * @param requested the time when lock was about to be called, in nanoseconds
     * @param entered the time when lock had returned, in nanoseconds
     * @param left the time when unlock was about to be called, in nanoseconds
     */
    public record Entry(int client, long requested, long entered, long left) {}

    /** {@return the journal that is shared by all processes that name this file} */
    public static Journal shared(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Journal(channel.map(FileChannel.MapMode.READ_WRITE, 0, HEAD + (long) MOST * ENTRY));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map " + file, e);
        }
    }

    /** Appends an entry. */
    public void add(Entry entry) {
        long index = (long) WORDS.getAndAdd(words, 0, 1L);
        if (index < MOST) {
            int at = HEAD + (int) index * ENTRY;
            WORDS.set(words, at + Long.BYTES, entry.entered);
            WORDS.set(words, at + 2 * Long.BYTES, entry.left);
            WORDS.set(words, at + 3 * Long.BYTES, entry.requested);
            WORDS.setRelease(words, at, entry.client + 1L);
        }
    }

    /** {@return the time when the last hold that was recorded had begun, 0 if there is none} */
    public long last() {
        int count = (int) Math.min(MOST, (long) WORDS.getVolatile(words, 0));
        int at = HEAD + (count - 1) * ENTRY;
        return count > 0 && (long) WORDS.getAcquire(words, at) > 0 ? (long) WORDS.get(words, at + Long.BYTES) : 0;
    }

    /** {@return the entries, in the order of their recording} To be called when no process appends any more. */
    public List<Entry> entries() {
        int count = (int) Math.min(MOST, (long) WORDS.getVolatile(words, 0));
        List<Entry> entries = new ArrayList<>(count);
        for (int at = HEAD; at < HEAD + count * ENTRY; at += ENTRY) {
            long client = (long) WORDS.getAcquire(words, at);
            if (client > 0) {
                entries.add(new Entry((int) client - 1, word(at, 3), word(at, 1), word(at, 2)));
            }
        }
        return entries;
    }

    private long word(int at, int index) {
        return (long) WORDS.get(words, at + index * Long.BYTES);
    }
}
