package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every code sample in the documentation compiles as a user's own code would. */
class SamplesTest {
    private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\\n(.*?)\\}</pre>", Pattern.DOTALL);

    private static final String TESTS = "/src/test/java/dev/holdfast/";

    /** Pages that are about one module alone, and the test of that module which compiles their samples. */
    private static final Map<String, String> PAGES_OF_MODULES = Map.ofEntries(
            Map.entry("docs/metrics.md", "integrations/micrometer" + TESTS + "micrometer/MicrometerSamplesTest.java"),
            Map.entry("docs/recipes.md", "examples/recipes" + TESTS + "recipes/RecipesSamplesTest.java"),
            Map.entry("docs/spring.md", "integrations/spring-boot" + TESTS + "spring/SpringSamplesTest.java"),
            Map.entry("docs/testing.md", "testkit/junit" + TESTS + "testkit/junit/JUnitSamplesTest.java"),
            Map.entry(
                    "examples/service/README.md",
                    "examples/service" + TESTS + "examples/service/ServiceSamplesTest.java"),
            Map.entry("guards/jdbc/README.md", "guards/jdbc" + TESTS + "guard/jdbc/JdbcGuardSamplesTest.java"),
            Map.entry("guards/redis/README.md", "guards/redis" + TESTS + "guard/redis/RedisGuardSamplesTest.java"),
            Map.entry(
                    "integrations/micrometer/README.md",
                    "integrations/micrometer" + TESTS + "micrometer/MicrometerSamplesTest.java"),
            Map.entry(
                    "integrations/shedlock/README.md",
                    "integrations/shedlock" + TESTS + "shedlock/ShedLockSamplesTest.java"),
            Map.entry(
                    "integrations/spring-boot/README.md",
                    "integrations/spring-boot" + TESTS + "spring/SpringSamplesTest.java"),
            Map.entry(
                    "integrations/spring-boot-starter/README.md",
                    "integrations/spring-boot" + TESTS + "spring/SpringSamplesTest.java"),
            Map.entry("testkit/junit/README.md", "testkit/junit" + TESTS + "testkit/junit/JUnitSamplesTest.java"));

    /** Modules that compile single samples of other pages, which name them: {@code ```java spring}. */
    private static final Map<String, String> MODULES = Map.of(
            "redis", "guards/redis" + TESTS + "guard/redis/RedisGuardSamplesTest.java",
            "service", "examples/service" + TESTS + "examples/service/ServiceSamplesTest.java",
            "spring", "integrations/spring-boot" + TESTS + "spring/SpringSamplesTest.java");

    @TestFactory
    Stream<DynamicTest> samples_compile(@TempDir Path classes) {
        Stream<DynamicTest> ofPages = Markdown.all().stream()
                .filter(page -> !PAGES_OF_MODULES.containsKey(page))
                .flatMap(page -> tests(page, ofCore(page), classes));
        Path sources = Markdown.ROOT.resolve("core/src/main/java/dev/holdfast");
        Stream<DynamicTest> ofTypes = Stream.of(
                        "DistributedCountDownLatch.java",
                        "DistributedLock.java",
                        "DistributedSemaphore.java",
                        "FencedLock.java",
                        "Holdfast.java",
                        "Lease.java",
                        "MultiLock.java",
                        "SegmentLease.java",
                        "SegmentedLock.java")
                .flatMap(file -> tests(file, inJavadoc(sources.resolve(file)), classes));
        return Stream.concat(ofPages, ofTypes);
    }

    /** No sample is left out: a page or a sample that core does not compile is named in the test that does. */
    @Test
    void samples_areCompiledSomewhere() throws IOException {
        List<String> forgotten = new ArrayList<>();
        for (String page : Markdown.all()) {
            List<Markdown.Sample> samples = Markdown.read(page).samples();
            String test = PAGES_OF_MODULES.get(page);
            if (test != null) {
                assertThat(samples).as(page).isNotEmpty();
                if (!names(test, page)) {
                    forgotten.add(page);
                }
                continue;
            }
            for (Markdown.Sample sample : samples) {
                if (!sample.module().isEmpty()
                        && !(MODULES.containsKey(sample.module()) && names(MODULES.get(sample.module()), page))) {
                    forgotten.add(page + ": java " + sample.module());
                }
            }
        }
        assertThat(forgotten).isEmpty();
    }

    /** {@return whether a test names a page, by its path in the repository or that in its module} */
    private static boolean names(String test, String page) throws IOException {
        String source = Files.readString(Markdown.ROOT.resolve(test));
        String module = test.replaceFirst(TESTS + ".*", "/");
        return source.contains('"' + page + '"')
                || (page.startsWith(module) && source.contains('"' + page.substring(module.length()) + '"'));
    }

    private static List<String> ofCore(String page) {
        return Markdown.read(page).samples().stream()
                .filter(sample -> sample.module().isEmpty())
                .map(Markdown.Sample::code)
                .toList();
    }

    private static List<String> inJavadoc(Path file) {
        return IN_JAVADOC.matcher(read(file)).results().map(SamplesTest::code).toList();
    }

    private static Stream<DynamicTest> tests(String place, List<String> samples, Path classes) {
        return Stream.iterate(0, i -> i + 1)
                .limit(samples.size())
                .map(i -> DynamicTest.dynamicTest(
                        place + ", sample " + (i + 1),
                        () -> Samples.assertCompile(Map.of("Sample", usersClass(samples.get(i))), classes)));
    }

    private static String code(MatchResult found) {
        return found.group(1).replaceAll("(?m)^ +\\* ?", "");
    }

    /** {@return a class with the sample as a method, and the declarations that a reader takes as given} */
    private static String usersClass(String sample) {
        return """
                import dev.holdfast.*;
                import dev.holdfast.testkit.*;
                import dev.holdfast.testkit.topology.*;
                import java.time.Duration;
                import java.time.Instant;
                import java.util.Iterator;
                import java.util.Optional;
                import java.util.Queue;
                import java.util.concurrent.locks.Condition;

                class Sample {
                    Holdfast holdfast;
                    DistributedLock lock;
                    String uri;
                    SegmentedLock stock;
                    Object order;
                    Instant earliestNextRun;
                    Iterator<String> orders;
                    Queue<Object> jobs;

                    void ship(Object order) {}

                    void transfer(String from, String to) {}

                    void report() {}

                    void callPartner() {}

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
