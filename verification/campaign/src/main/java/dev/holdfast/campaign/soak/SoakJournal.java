package dev.holdfast.campaign.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The file with the entries of a soak, over all of its legs.
 *
 * @param file which need not exist yet
 */
record SoakJournal(Path file) {
    List<Entry> read() {
        return text().lines().map(Entry.LINES::read).toList();
    }

    /** Appends all of these, or none if the process ends in between. */
    void append(List<? extends Entry> entries) {
        StringBuilder text = new StringBuilder(text());
        entries.forEach(entry -> text.append(Entry.LINES.write(entry)).append('\n'));
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** An incomplete last line, as after a crash of the machine, is ignored. */
    private String text() {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
