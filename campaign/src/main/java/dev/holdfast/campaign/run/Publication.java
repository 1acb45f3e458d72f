package dev.holdfast.campaign.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Markdown file with a place for the report, between two comments. */
final class Publication {
    static final String BEGIN = "<!-- campaign: what a run wrote begins here -->";
    static final String END = "<!-- campaign: what a run wrote ends here -->";

    private Publication() {}

    /**
     * Puts these lines into the file's place, instead of what was there.
     *
     * @throws IllegalStateException if it has no such place
     */
    static void write(Path file, List<String> lines) {
        try {
            Files.writeString(file, withReport(Files.readString(file), lines));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot publish in " + file, e);
        }
    }

    static String withReport(String text, List<String> lines) {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalStateException("there must be a place between " + BEGIN + " and " + END);
        }
        return text.substring(0, begin + BEGIN.length())
                + "\n\n"
                + String.join("\n", lines)
                + "\n\n"
                + text.substring(end);
    }
}
