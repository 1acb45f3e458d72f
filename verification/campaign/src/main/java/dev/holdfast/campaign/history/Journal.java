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
 * Where a process records what happens to it, one line for each event, safe for use by many threads. Each line is handed to
 * the operating system as a whole before {@link #write} returns, so a process that is killed has lost nothing that it had
 * written; only the machine must stay up. An interrupt does it no harm.
 *
 * <p>Lines are in the order of writing. Events have their own times, and {@link History} puts them in order.
 */
public final class Journal implements AutoCloseable {
    private static final Lines<Event> LINES = Lines.of(Event.class);

    private final ReentrantLock turn = new ReentrantLock();
    private final OutputStream out;

    private Journal(OutputStream out) {
        this.out = out;
    }

    /**
     * Begins a journal, or goes on with one.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    public static Journal open(Path file) {
        try {
            // Not a channel: the interrupt of a thread that writes to one closes it for all.
            return new Journal(new FileOutputStream(file.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot begin the journal " + file, e);
        }
    }

    /**
     * Records an event.
     *
     * @throws UncheckedIOException if that is impossible; the history is then incomplete, and worth nothing
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

    /** {@return the events of a journal, as far as they were written; a last line that was cut short is none} */
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
