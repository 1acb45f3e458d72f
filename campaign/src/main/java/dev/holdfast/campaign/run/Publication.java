package dev.holdfast.campaign.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Markdown file with a place for the report of each server's runs, between two comments. */
final class Publication {
    private Publication() {}

    /**
     * Puts these lines into the file's place for that server, instead of what was there.
     *
     * @param server and the first number of its version, as in {@code Redis 7}
     * @throws IllegalStateException if it has no such place
     */
    static void write(Path file, String server, List<String> lines) {
        try {
            Files.writeString(file, withReport(Files.readString(file), server, lines));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot publish in " + file, e);
        }
    }

    static String withReport(String text, String server, List<String> lines) {
        String first = "<!-- campaign on " + server + ": what a run wrote begins here -->";
        String last = "<!-- campaign on " + server + ": what a run wrote ends here -->";
        int begin = text.indexOf(first);
        int end = text.indexOf(last);
        if (begin < 0 || end < begin) {
            throw new IllegalStateException("there must be a place between " + first + " and " + last);
        }
        return text.substring(0, begin + first.length())
                + "\n\n"
                + String.join("\n", lines)
                + "\n\n"
                + text.substring(end);
    }
}
