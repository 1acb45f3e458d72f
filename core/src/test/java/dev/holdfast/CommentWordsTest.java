package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Comments are plain technical English: a client publishes, a call returns or throws, a listener is notified. They do not
 * say that something tells, hears or learns, nor that it happens meanwhile. Sources of all modules are checked, but not those
 * of tests; quotations, string literals and inline code do not count.
 */
@Tag("pure")
final class CommentWordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** How many of the words a package may have for each 1,000 words of its comments. */
    private static final double MOST_PER_1000 = 0.5;

    private static final Pattern AVOIDED = Pattern.compile(
            "\\b(tell|tells|telling|told|untold|informs?|informed|informing|hears?|heard|hearing|learns?|learned|learnt|learning"
                    + "|who|whom|whoever|meanwhile|lately|by\\s+(\\*\\s+)?then|anew)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

    private static final String STRING = "\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])*+'";

    private static final Pattern JAVA = Pattern.compile(
            "(?s)\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"|" + STRING + "|(?<comment>/\\*.*?\\*/|//[^\n]*)");

    private static final Pattern LUA = Pattern.compile(STRING + "|(?<comment>--[^\n]*)");

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|\\{@code [^}]*}");

    /** The words of a package's comments, and the avoided ones among them with their places. */
    private static final class Found {
        private int words;
        private final List<String> avoided = new ArrayList<>();

        void add(String name, String source) {
            (name.endsWith(".lua") ? LUA : JAVA).matcher(source).results().forEach(part -> {
                String text = part.group(1) == null
                        ? ""
                        : QUOTED.matcher(part.group(1)).replaceAll(" ");
                words += (int) WORD.matcher(text).results().count();
                long line = source.substring(0, part.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count()
                        + 1;
                AVOIDED.matcher(text)
                        .results()
                        .forEach(word -> avoided.add(word.group() + " (" + name + ", comment of line " + line + ")"));
            });
        }

        boolean exceeds() {
            return avoided.size() * 1000 > words * MOST_PER_1000;
        }
    }

    /** No package has more than the limit. */
    @Test
    void packages_areWithinTheLimit() throws IOException {
        Map<String, Found> packages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.map(file -> ROOT.relativize(file))
                    .filter(file -> file.toString().matches("(?!.*\\btarget/).*\\bsrc/main/.*\\.(java|lua)"))
                    .forEach(file -> packages.computeIfAbsent(
                                    file.resolveSibling("").toString(), name -> new Found())
                            .add(file.getFileName().toString(), read(file)));
        }
        assertThat(packages).hasSizeGreaterThan(50);
        assertThat(packages.values().stream().mapToInt(found -> found.words).sum())
                .isGreaterThan(100_000);

        packages.values().removeIf(found -> !found.exceeds());
        assertThat(packages.entrySet())
                .extracting(entry -> entry.getKey() + ": " + entry.getValue().avoided)
                .isEmpty();
    }

    private static String read(Path file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words are found in comments of each form, and in nothing else. */
    @Test
    void words_areThoseOfComments() {
        Found found = new Found();
        found.add("Sample.java", """
                /** Tells the caller, "who" waits by
                 * then. {@code who()} is code. */
                class Sample { // meanwhile
                    String who = "// told", quote = "\\\\"", url = "who";
                    char c = '"'; /* anew */
                }
                """);
        found.add("sample.lua", "-- a client learns of it\nlocal who = 'told -- lately' -- heard\n");

        assertThat(found.avoided)
                .extracting(word -> word.replaceAll("\\s+", " "))
                .containsExactly(
                        "Tells (Sample.java, comment of line 1)",
                        "by * then (Sample.java, comment of line 1)",
                        "meanwhile (Sample.java, comment of line 3)",
                        "anew (Sample.java, comment of line 5)",
                        "learns (sample.lua, comment of line 1)",
                        "heard (sample.lua, comment of line 2)");
        assertThat(found.words).isGreaterThan(10).isLessThan(25);
    }
}
