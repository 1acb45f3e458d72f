package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
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

    /** Javadoc cannot link to a test, so it has the names in quotation marks. */
    private static final Pattern REFERENCE = Pattern.compile("@see \"([^\"]+)\"");

    private static final Pattern UNPUBLISHED = Pattern.compile("(benchmarks|examples|verification)/.*");

    /** Each class of a test exists once in the repository, and has no namesake in its module or in what is published. */
    @Test
    void names_areUnique() throws IOException {
        Map<String, List<String>> tests = new TreeMap<>();
        Map<String, List<String>> main = new TreeMap<>();
        for (Path file : sources()) {
            add(TEST, file.toString(), tests);
            add(MAIN, file.toString(), main);
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

    /** The tests to which the documentation of a class refers, since none has the name of the class, exist. */
    @Test
    void references_exist() throws IOException {
        Set<String> tests = new HashSet<>();
        Map<String, Path> references = new TreeMap<>();
        for (Path file : sources()) {
            Matcher test = TEST.matcher(file.toString());
            if (test.matches()) {
                tests.add(test.group("name"));
            } else {
                REFERENCE
                        .matcher(Files.readString(ROOT.resolve(file)))
                        .results()
                        .flatMap(found -> Stream.of(found.group(1).split(", ")))
                        .forEach(name -> references.put(name, file));
            }
        }
        assertThat(references).hasSizeGreaterThan(50);
        references.keySet().removeAll(tests);
        assertThat(references).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(ROOT::relativize)
                    .filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("target/")
                            && !SAMPLE.matcher(file.toString()).matches())
                    .toList();
        }
    }

    private static void add(Pattern kind, String file, Map<String, List<String>> names) {
        kind.matcher(file).results().forEach(found -> names.computeIfAbsent(found.group(2), name -> new ArrayList<>())
                .add(file));
    }

    private static String module(String file) {
        return file.replaceFirst("/?src/.*", "");
    }
}
