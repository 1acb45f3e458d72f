package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules by which a Prometheus raises alarms. */
final class AlarmRulesTest {
    private static final Path RULES = Path.of("prometheus", "holdfast.rules.yml");
    private static final Path TESTS_OF_RULES = Path.of("prometheus", "holdfast.rules.test.yml");
    private static final Path OPERATIONS = Path.of("..", "..", "docs", "operations.md");

    private static final Pattern ALARM = Pattern.compile("(?m)^ +- alert: (\\w+)$");
    private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)");
    private static final Pattern RUNBOOK =
            Pattern.compile("https://github\\.com/holdfast-lock/holdfast/blob/main/docs/operations\\.md#([\\w-]+)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    /** The section on alarms says of each what to do; it has a test. */
    @Test
    void alarms_areDocumentedAndTested() throws IOException {
        String section = Files.readString(OPERATIONS)
                .replaceFirst("(?s).*\n## Alarms\n", "")
                .replaceFirst("(?s)\n## .*", "");
        assertThat(Scrape.all(ALARM, Files.readString(RULES)))
                .isNotEmpty()
                .isEqualTo(Scrape.all(Pattern.compile("`(Holdfast[A-Z]\\w+)`"), section))
                .isEqualTo(Scrape.all(TESTED, Files.readString(TESTS_OF_RULES)));
    }

    /** Each link of an alarm leads to a section. */
    @Test
    void runbooks_exist() throws IOException {
        List<String> anchors = Scrape.all(HEADING, Files.readString(OPERATIONS)).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT).replace(' ', '-'))
                .toList();
        assertThat(Scrape.all(RUNBOOK, Files.readString(RULES))).isNotEmpty().isSubsetOf(anchors);
    }

    /** Each alarm is raised by what it is for, and by nothing else; as the promtool of Prometheus sees it. */
    @Test
    void rules_passTheirTests() throws Exception {
        Promtool.accepts("test", "rules", TESTS_OF_RULES.toString());
    }
}
