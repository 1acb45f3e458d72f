package dev.holdfast.campaign.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The file with the entries of a soak, over all of its legs.
 *
 * @param file which need not exist yet
 */
record SoakJournal(Path file) {
    List<Entry> read() {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Entry.LINES::read).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Appends all of these, or none if the process ends in between. */
    void append(List<? extends Entry> entries) {
        StringBuilder lines = new StringBuilder();
        entries.forEach(entry -> lines.append(Entry.LINES.write(entry)).append('\n'));
        try {
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
