package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The samples of the documentation are those that are compiled and run here. */
final class JUnitSamplesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path SOURCES =
            Path.of("src", "test", "java", "dev", "holdfast", "testkit", "junit", "samples");
    private static final Pattern SAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("^class (\\w+)", Pattern.MULTILINE);
    private static final Pattern HEAD = Pattern.compile("\\A.*^import [^\n]*\n\n", Pattern.DOTALL | Pattern.MULTILINE);

    /** Each sample is a test class of the samples, without its imports; and each of these is in the page. */
    @Test
    void samples_areTheTestsThatRun() throws IOException {
        List<String> samples = samplesOf("docs/testing.md");
        assertThat(samples).hasSize(3);
        for (String sample : samples) {
            assertThat(sample).isEqualTo(classOf(nameOf(sample)));
        }
        assertThat(samples).extracting(JUnitSamplesTest::nameOf).doesNotHaveDuplicates();
    }

    /** So is the sample of the module's README. */
    @Test
    void readme_hasASampleThatRuns() throws IOException {
        assertThat(samplesOf("testkit/junit/README.md")).singleElement().isEqualTo(classOf("ReportTest"));
    }

    private static List<String> samplesOf(String page) throws IOException {
        return SAMPLE.matcher(Files.readString(ROOT.resolve(page)))
                .results()
                .map(sample -> sample.group(1))
                .toList();
    }

    private static String nameOf(String sample) {
        return NAME.matcher(sample)
                .results()
                .map((MatchResult name) -> name.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no class in " + sample));
    }

    private static String classOf(String name) throws IOException {
        return HEAD.matcher(Files.readString(SOURCES.resolve(name + ".java"))).replaceFirst("");
    }
}
