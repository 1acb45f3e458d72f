package dev.holdfast.campaign.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where a run leaves what it writes. */
final class Directories {
    private Directories() {}

    /** {@return this directory, with nothing in it} */
    static Path emptied(Path directory) {
        try {
            if (Files.exists(directory)) {
                delete(directory);
            }
            return Files.createDirectories(directory).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + directory, e);
        }
    }

    /** Deletes a directory with all that is in it. */
    static void delete(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }

    static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
