package dev.holdfast.campaign.history;

import dev.holdfast.campaign.text.Lines;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file in which a process records its events, one line for each. Thread-safe. {@link #write} returns after the
 * whole line was passed to the operating system, so a process that is killed loses no event that it has written, as
 * long as the machine stays up. Interrupting a writing thread has no effect on the journal.
 *
 * <p>Lines are in the order of writing. Events have their own times, by which {@link History} orders them.
 */
public final class Journal implements AutoCloseable {
    private static final Lines<Event> LINES = Lines.of(Event.class);

    private final ReentrantLock turn = new ReentrantLock();
    private final OutputStream out;

    private Journal(OutputStream out) {
        this.out = out;
    }

    /** Creates a journal, or appends to an existing one. */
    public static Journal open(Path file) {
        try {
            // Not a channel: an interrupt of a thread that writes to a channel closes it for all threads.
            return new Journal(new FileOutputStream(file.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot begin the journal " + file, e);
        }
    }

    /**
     * Records an event.
     *
     * @throws UncheckedIOException if it cannot be written; the history is then incomplete, and useless
     */
    public void write(Event event) {
        byte[] line = (LINES.write(event) + "\n").getBytes(StandardCharsets.UTF_8);
        turn.lock();
        try {
            out.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot record " + event, e);
        } finally {
            turn.unlock();
        }
    }

    /** {@return the events of a journal; an incomplete last line is ignored} */
    static List<Event> read(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(LINES::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the journal " + file, e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a journal", e);
        }
    }
}
