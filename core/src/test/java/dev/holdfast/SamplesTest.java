package dev.holdfast;

import dev.holdfast.testkit.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every code sample in the documentation compiles as a user's own code would. */
class SamplesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern IN_MARKDOWN = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\\n(.*?)\\}</pre>", Pattern.DOTALL);

    @TestFactory
    Stream<DynamicTest> samples_compile(@TempDir Path classes) throws IOException {
        List<Path> documents = Stream.of(
                        "README.md", "docs/guarantees.md", "docs/migrating-from-redisson.md", "testkit/README.md")
                .map(ROOT::resolve)
                .toList();
        Path sources = ROOT.resolve("core/src/main/java/dev/holdfast");
        List<Path> types = Stream.of(
                        "DistributedLock.java",
                        "FencedLock.java",
                        "Holdfast.java",
                        "Lease.java",
                        "MultiLock.java",
                        "SegmentLease.java",
                        "SegmentedLock.java")
                .map(sources::resolve)
                .toList();
        return Stream.concat(
                documents.stream().flatMap(file -> samples(file, classes, IN_MARKDOWN)),
                types.stream().flatMap(file -> samples(file, classes, IN_JAVADOC)));
    }

    private static Stream<DynamicTest> samples(Path file, Path classes, Pattern pattern) {
        List<String> found =
                pattern.matcher(read(file)).results().map(SamplesTest::code).toList();
        return Stream.iterate(0, i -> i + 1)
                .limit(found.size())
                .map(i -> DynamicTest.dynamicTest(
                        file.getFileName() + ", sample " + (i + 1),
                        () -> Samples.assertCompile(Map.of("Sample", usersClass(found.get(i))), classes)));
    }

    private static String code(MatchResult found) {
        return found.group(1).replaceAll("(?m)^ +\\* ?", "");
    }

    /** {@return a class with the sample as a method, and the declarations that a reader takes as given} */
    private static String usersClass(String sample) {
        return """
                import dev.holdfast.*;
                import dev.holdfast.testkit.*;
                import java.time.Duration;
                import java.time.Instant;

                class Sample {
                    Holdfast holdfast;
                    DistributedLock lock;
                    SegmentedLock stock;
                    Object order;
                    Instant earliestNextRun;

                    void ship(Object order) {}

                    void report() {}

                    boolean sellFrom(int segment) {
                        return true;
                    }

                    void ship(Object order, long token) {}

                    void sample() throws Exception {
                        %s
                    }
                }
                """.formatted(sample);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }
}
