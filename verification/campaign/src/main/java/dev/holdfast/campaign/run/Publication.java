package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The place in a Markdown file for the report on one server version, between two comments. Runs of rounds of one theme
 * have places of their own.
 *
 * @param server the server with the first number of its version, such as {@code Redis 7}, and the theme if there is one
 */
record Publication(Path file, String server) {
    /**
     * {@return the place for a server of this version}
     *
     * @param only the theme of all rounds; empty for all themes
     * @throws IllegalArgumentException if the file has no such place
     */
    static Publication in(Path file, String version, Optional<Theme> only) {
        String server = "Redis " + version.substring(0, version.indexOf('.'));
        Publication place = new Publication(
                file, only.map(theme -> server + ", " + Options.named(theme)).orElse(server));
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
