package dev.holdfast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is skipped exists, and is what the README says. */
final class PeerSuiteTest {
    private static final Path README = Path.of("README.md");

    static final List<PeerSuite> SUITES = PeerSuite.ALL;

    /** A test that the other project has renamed or removed is no longer named as skipped. */
    @ParameterizedTest
    @FieldSource("SUITES")
    void skipped_areTestsOfTheSuite(PeerSuite suite) throws ClassNotFoundException {
        assertThat(suite.tests()).containsAll(suite.skipped().keySet());
    }

    /** The section of the README about a suite has a row for each skipped test, with the reason, and no other. */
    @ParameterizedTest
    @FieldSource("SUITES")
    void readme_listsTheSkipped(PeerSuite suite) throws IOException {
        List<String> rows = suite.skipped().entrySet().stream()
                .map(skip -> "| `" + skip.getKey() + "` | " + skip.getValue() + " |")
                .toList();
        assertThat(section(suite)).filteredOn(line -> line.startsWith("| `")).containsExactlyElementsOf(rows);
    }

    /** The section says how many tests run. */
    @ParameterizedTest
    @FieldSource("SUITES")
    void readme_countsTheTests(PeerSuite suite) throws IOException, ClassNotFoundException {
        int all = suite.tests().size();
        int run = all - suite.skipped().size();
        assertThat(String.join(" ", section(suite))).contains(run + " of its " + all + " tests run");
    }

    private static List<String> section(PeerSuite suite) throws IOException {
        return Files.readAllLines(README).stream()
                .dropWhile(line -> !line.equals("## " + suite.project()))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
    }
}
