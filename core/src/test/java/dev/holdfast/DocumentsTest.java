package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each page is as short as it may be, and each link leads somewhere. */
@Tag("pure")
final class DocumentsTest {
    /** How many words a page may have, outside of code blocks, tables and the targets of links. */
    private static final Map<String, Integer> LIMITS = Map.ofEntries(
            Map.entry("CONTRIBUTING.md", 600),
            Map.entry("README.md", 1_000),
            Map.entry("docs/README.md", 200),
            Map.entry("docs/cli.md", 1_200),
            Map.entry("docs/conditions.md", 700),
            Map.entry("docs/configuration.md", 900),
            Map.entry("docs/design.md", 3_200),
            Map.entry("docs/design/wire.md", 1_500),
            Map.entry("docs/fair-locks.md", 500),
            Map.entry("docs/faq.md", 900),
            Map.entry("docs/fencing.md", 700),
            Map.entry("docs/guarantees.md", 2_300),
            Map.entry("docs/kotlin.md", 600),
            Map.entry("docs/limits.md", 900),
            Map.entry("docs/metrics.md", 700),
            Map.entry("docs/migrating-from-redisson.md", 1_500),
            Map.entry("docs/migrating-from-spring.md", 900),
            Map.entry("docs/operations.md", 700),
            Map.entry("docs/read-write-locks.md", 900),
            Map.entry("docs/recipes.md", 600),
            Map.entry("docs/spring.md", 2_000),
            Map.entry("docs/testing.md", 800),
            Map.entry("docs/topologies.md", 2_000),
            Map.entry("docs/versions.md", 700));

    /** That of a page about one mechanism, below {@code docs/design}. */
    private static final int MECHANISM = 900;

    /** A new page of {@code docs} has a limit first. Pages that programs write have none. */
    @TestFactory
    Stream<DynamicTest> pages_areWithinTheirLimit() {
        return Markdown.all().stream()
                .filter(page -> page.equals("README.md") || page.matches("docs/(design/)?[^/]+"))
                .map(page -> DynamicTest.dynamicTest(page, () -> {
                    int limit = LIMITS.getOrDefault(page, page.startsWith("docs/design/") ? MECHANISM : 0);
                    assertThat(limit).as("the limit of %s", page).isPositive();
                    assertThat(Markdown.read(page).words())
                            .as("words of %s: a page over its limit is cut, not moved", page)
                            .isLessThanOrEqualTo(limit);
                }));
    }

    /** No limit is that of a page which was removed or renamed. */
    @Test
    void limits_areThoseOfPages() {
        assertThat(Markdown.all()).containsAll(LIMITS.keySet());
    }

    /** The target of a link is a file or a directory of the repository, and its anchor a heading of that page. */
    @Test
    void links_leadSomewhere() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (String page : Markdown.all()) {
            for (String target : Markdown.read(page).targets()) {
                if (target.matches("[a-z]+:.*")) {
                    continue;
                }
                links++;
                if (!exists(page, target)) {
                    broken.add(page + ": " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(100);
    }

    private static boolean exists(String page, String target) {
        String path = target.replaceFirst("#.*", "");
        Path file = path.isEmpty()
                ? Markdown.ROOT.resolve(page)
                : Markdown.ROOT.resolve(page).resolveSibling(path).normalize();
        if (!file.startsWith(Markdown.ROOT) || !Files.exists(file)) {
            return false;
        }
        if (!target.contains("#")) {
            return true;
        }
        return file.toString().endsWith(".md")
                && Markdown.read(Markdown.ROOT.relativize(file).toString())
                        .anchors()
                        .contains(target.replaceFirst(".*#", ""));
    }

    /** Each page for readers is in the index. */
    @Test
    void index_isComplete() {
        List<String> targets = Markdown.read("docs/README.md").targets().stream()
                .map(target -> target.replaceFirst("#.*", ""))
                .toList();
        assertThat(targets)
                .containsAll(LIMITS.keySet().stream()
                        .filter(page -> page.matches("docs/[a-z-]+\\.md"))
                        .map(page -> page.replaceFirst("docs/", ""))
                        .collect(Collectors.toSet()));
    }

    /** The page on configuration has a row for each setting of the builder. */
    @Test
    void configuration_hasAllSettings() {
        String page = Markdown.read("docs/configuration.md").text();
        List<String> settings = Stream.of(HoldfastBuilder.class.getMethods())
                .filter(method -> method.getReturnType() == HoldfastBuilder.class)
                .map(Method::getName)
                .distinct()
                .toList();
        assertThat(settings).hasSizeGreaterThan(15);
        assertThat(settings)
                .filteredOn(setting -> !Pattern.compile("(?m)^\\| `" + setting + "\\b")
                        .matcher(page)
                        .find())
                .isEmpty();
    }

    /** Each message in the table of what is logged is in the code. */
    @Test
    void loggedMessages_exist() throws IOException {
        String section = Markdown.read("docs/operations.md")
                .text()
                .replaceFirst("(?s).*\n## In the log\n", "")
                .replaceFirst("(?s)\n## .*", "");
        List<String> messages = Pattern.compile("(?m)^\\| `([^`]+)`")
                .matcher(section)
                .results()
                .map(message -> message.group(1))
                .toList();
        assertThat(messages).hasSizeGreaterThan(10);
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(Markdown.ROOT.resolve("core/src/main/java"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                sources.append(Files.readString(file));
            }
        }
        assertThat(messages).filteredOn(message -> sources.indexOf(message) < 0).isEmpty();
    }
}
