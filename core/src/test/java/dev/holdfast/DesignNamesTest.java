package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the pages of the design name exists: types, scripts and packages. */
@Tag("pure")
final class DesignNamesTest {
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w*)[^`\\n]*`");

    private static final Pattern SCRIPT = Pattern.compile("`([a-z/-]+\\.lua)`");

    /** A list of types, and where they are. */
    private static final Pattern PLACE = Pattern.compile("((?:`\\w+`,?\\s+)+)\\(package\\s+`(\\w+)`\\)");

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");

    /** Packages of the JDK and of the driver whose types the pages name. */
    private static final List<String> OTHERS = List.of(
            "java.lang.",
            "java.util.concurrent.",
            "java.util.concurrent.locks.",
            "io.lettuce.core.",
            "io.lettuce.core.protocol.");

    private static List<String> pages() {
        return Markdown.all().stream()
                .filter(page -> page.matches("docs/design(/[^/]+)?\\.md"))
                .toList();
    }

    private static List<Path> sources(String extension) throws IOException {
        try (Stream<Path> files = Files.walk(Markdown.ROOT)) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .filter(file -> file.toString().contains("/src/"))
                    .toList();
        }
    }

    private static List<MatchResult> found(Pattern pattern, String page) {
        return pattern.matcher(Markdown.read(page).text()).results().toList();
    }

    private static boolean isOfOthers(String type) {
        return OTHERS.stream().anyMatch(place -> {
            try {
                Class.forName(place + type, false, DesignNamesTest.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    @Test
    void types_exist() throws IOException {
        Set<String> declared = new HashSet<>();
        for (Path source : sources(".java")) {
            DECLARED.matcher(Files.readString(source)).results().forEach(type -> declared.add(type.group(1)));
        }
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (String page : pages()) {
            for (MatchResult type : found(TYPE, page)) {
                named++;
                if (!declared.contains(type.group(1)) && !isOfOthers(type.group(1))) {
                    missing.add(page + ": " + type.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(200);
    }

    @Test
    void scripts_exist() throws IOException {
        List<Path> scripts = sources(".lua");
        List<String> missing = new ArrayList<>();
        for (String page : pages()) {
            found(SCRIPT, page).stream()
                    .map(script -> script.group(1))
                    .filter(script -> scripts.stream().noneMatch(file -> file.endsWith(script)))
                    .forEach(script -> missing.add(page + ": " + script));
        }
        assertThat(missing).isEmpty();
    }

    /** Types are in the package that a page says. */
    @Test
    void types_areWhereThePagesSay() {
        List<String> misplaced = new ArrayList<>();
        int named = 0;
        for (String page : pages()) {
            for (MatchResult list : found(PLACE, page)) {
                Path place = Path.of("src/main/java/dev/holdfast/internal", list.group(2));
                for (MatchResult type : found(list.group(1))) {
                    named++;
                    if (!Files.exists(place.resolve(type.group(1) + ".java"))) {
                        misplaced.add(page + ": " + type.group(1) + " in " + list.group(2));
                    }
                }
            }
        }
        assertThat(misplaced).isEmpty();
        assertThat(named).isGreaterThan(30);
    }

    private static List<MatchResult> found(String list) {
        return Pattern.compile("`(\\w+)`").matcher(list).results().toList();
    }
}
