package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

/** The name of a test means one class, so that documents, comments and reports need no more than that. */
@Tag("pure")
final class TestNamesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern TEST = Pattern.compile("(?<module>.*?)/?src/test/.*/(?<name>[A-Z]\\w*)\\.java");

    private static final Pattern MAIN = Pattern.compile("(?<module>.*?)/?src/main/.*/(?<name>[A-Z]\\w*)\\.java");

    /** What users copy has the names that are natural there. */
    private static final Pattern SAMPLE = Pattern.compile(".*/samples/.*");

    private static final Pattern UNPUBLISHED = Pattern.compile("(benchmarks|examples|verification)/.*");

    /** Each class of a test exists once in the repository, and has no namesake in its module or in what is published. */
    @Test
    void names_areUnique() throws IOException {
        Map<String, List<String>> tests = new TreeMap<>();
        Map<String, List<String>> main = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.map(file -> ROOT.relativize(file).toString())
                    .filter(file ->
                            !file.contains("target/") && !SAMPLE.matcher(file).matches())
                    .forEach(file -> {
                        add(TEST, file, tests);
                        add(MAIN, file, main);
                    });
        }
        assertThat(tests).hasSizeGreaterThan(500);
        assertThat(main).hasSizeGreaterThan(400);

        List<String> namesakes = new ArrayList<>();
        tests.forEach((name, files) -> {
            for (String file : files) {
                List<String> others = new ArrayList<>(files);
                others.remove(file);
                main.getOrDefault(name, List.of()).stream()
                        .filter(other -> module(other).equals(module(file))
                                || !UNPUBLISHED.matcher(other).matches())
                        .forEach(others::add);
                if (!others.isEmpty()) {
                    namesakes.add(file + " and " + others);
                }
            }
        });
        assertThat(namesakes).isEmpty();
    }

    private static void add(Pattern kind, String file, Map<String, List<String>> names) {
        kind.matcher(file).results().forEach(found -> names.computeIfAbsent(found.group(2), name -> new ArrayList<>())
                .add(file));
    }

    private static String module(String file) {
        return file.replaceFirst("/?src/.*", "");
    }
}
