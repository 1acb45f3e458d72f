package dev.holdfast.campaign.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The place in a Markdown file for the report on one server version, between two comments.
 *
 * @param server the server with the first number of its version, such as {@code Redis 7}
 */
record Publication(Path file, String server) {
    /**
     * {@return the place for a server of this version}
     *
     * @throws IllegalArgumentException if the file has no such place
     */
    static Publication in(Path file, String version) {
        Publication place = new Publication(file, "Redis " + version.substring(0, version.indexOf('.')));
        place.begin(place.text());
        return place;
    }

    /** Replaces the contents of the place by these lines. */
    void write(List<String> lines) {
        String text = text();
        try {
            Files.writeString(
                    file,
                    text.substring(0, begin(text))
                            + "\n\n"
                            + String.join("\n", lines)
                            + "\n\n"
                            + text.substring(text.indexOf(last())));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot publish in " + file, e);
        }
    }

    private String text() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot publish in " + file, e);
        }
    }

    private int begin(String text) {
        int first = text.indexOf(first());
        if (first < 0 || text.indexOf(last()) < first) {
            throw new IllegalArgumentException(file + " must have a place between " + first() + " and " + last());
        }
        return first + first().length();
    }

    private String first() {
        return "<!-- campaign on " + server + ": what a run wrote begins here -->";
    }

    private String last() {
        return "<!-- campaign on " + server + ": what a run wrote ends here -->";
    }
}
