package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The place in a Markdown file for one report, between two comments.
 *
 * @param name of the report, such as {@code campaign on Redis 7}
 */
public record Publication(Path file, String name) {
    /**
     * {@return the place for rounds on a server of this version} Runs of rounds of one theme have places of their own.
     *
     * @param only the theme of all rounds; empty for all themes
     * @throws IllegalArgumentException if the file has no such place
     */
    static Publication in(Path file, String version, Optional<Theme> only) {
        String server = "Redis " + version.substring(0, version.indexOf('.'));
        return named(
                file,
                "campaign on "
                        + only.map(theme -> server + ", " + Options.named(theme))
                                .orElse(server));
    }

    /**
     * {@return the place for the report of this name}
     *
     * @throws IllegalArgumentException if the file has no such place
     */
    public static Publication named(Path file, String name) {
        Publication place = new Publication(file, name);
        place.begin(place.text());
        return place;
    }

    /** Replaces the contents of the place by these lines. */
    public void write(List<String> lines) {
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
        return "<!-- " + name + ": what a run wrote begins here -->";
    }

    private String last() {
        return "<!-- " + name + ": what a run wrote ends here -->";
    }
}
