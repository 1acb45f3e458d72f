package dev.holdfast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A document of the repository, as its readers see it. */
record Markdown(String text) {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```[^\\n]*$");
    private static final Pattern CODE = Pattern.compile("(`+)(?!`).+?\\1(?!`)", Pattern.DOTALL);
    private static final Pattern TABLE_ROW = Pattern.compile("(?m)^ *\\|.*$");
    private static final Pattern TARGET = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
    private static final Pattern SAMPLE = Pattern.compile("(?ms)^```java(?: (\\w+))?\\n(.*?)^```");

    /** A Java sample, and the module on whose class path it compiles: empty for core. */
    record Sample(String module, String code) {}

    /** {@return the documents of the repository, by their path in it} */
    static List<String> all() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .map(ROOT::relativize)
                    .map(file -> file.toString().replace('\\', '/'))
                    .filter(file -> !file.contains("target/") && !file.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Markdown read(String page) {
        try {
            return new Markdown(Files.readString(ROOT.resolve(page)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the number of words that are no code block, no table and no target of a link} */
    long words() {
        String prose = TARGET.matcher(TABLE_ROW.matcher(withoutCodeBlocks()).replaceAll(""))
                .replaceAll("]");
        return Pattern.compile("\\s+")
                .splitAsStream(prose)
                .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
                .count();
    }

    /** {@return the targets of the links and pictures} */
    List<String> targets() {
        return TARGET.matcher(CODE.matcher(withoutCodeBlocks()).replaceAll("code"))
                .results()
                .map(target -> target.group(1))
                .toList();
    }

    /** {@return the anchors of the headings, as GitHub makes them} */
    Set<String> anchors() {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(withoutCodeBlocks()).results().map(Markdown::anchor).forEach(anchor -> {
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }

    private static String anchor(MatchResult heading) {
        return TARGET.matcher(heading.group(1))
                .replaceAll("]")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    List<Sample> samples() {
        return SAMPLE.matcher(text)
                .results()
                .map(sample -> new Sample(sample.group(1) == null ? "" : sample.group(1), sample.group(2)))
                .toList();
    }

    private String withoutCodeBlocks() {
        return CODE_BLOCK.matcher(text).replaceAll("");
    }
}
