package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard, the rules of the alarms and their tests name what the meters publish. */
final class NamedSeriesTest {
    private static final String DASHBOARD = "grafana/holdfast.json";
    private static final String RULES = "prometheus/holdfast.rules.yml";
    private static final String TESTS_OF_RULES = "prometheus/holdfast.rules.test.yml";

    private static final Pattern SERIES = Pattern.compile("\\b(holdfast_\\w+)");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without) \\(([\\w, ]+)\\)");
    private static final Pattern OUTCOME = Pattern.compile("outcome!?=\\\\?\"(\\w+)");

    /** In the selector of a series, in an annotation of an alarm, in a legend. */
    private static final List<Pattern> LABELS = List.of(
            Pattern.compile("(\\w+)(?:=~?|!=|!~)\\\\?\""),
            Pattern.compile("\\$labels\\.(\\w+)"),
            Pattern.compile("\\{\\{(\\w+)}}"));

    /** Each series has those from Prometheus itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    /** Each time series that a file names is published by the meters. */
    @ParameterizedTest
    @ValueSource(strings = {DASHBOARD, RULES, TESTS_OF_RULES})
    void series_exist(String file) throws IOException {
        Set<String> named = Scrape.all(SERIES, Files.readString(Path.of(file)));
        assertThat(named).hasSizeGreaterThan(5).isSubsetOf(Scrape.ofAllMeters().series());
    }

    /** So is each tag by which it selects or groups, or that it shows. */
    @ParameterizedTest
    @ValueSource(strings = {DASHBOARD, RULES, TESTS_OF_RULES})
    void tags_exist(String file) throws IOException {
        String text = Files.readString(Path.of(file));
        Set<String> named = new TreeSet<>();
        LABELS.forEach(label -> named.addAll(Scrape.all(label, text)));
        named.addAll(grouping(text));
        named.removeAll(OF_PROMETHEUS);
        assertThat(named).isNotEmpty().isSubsetOf(Scrape.ofAllMeters().tags());
    }

    /** {@return the tags by which an expression groups, or matches} */
    static Set<String> grouping(String text) {
        Set<String> tags = new TreeSet<>();
        Scrape.all(GROUPING, text).forEach(grouping -> tags.addAll(List.of(grouping.split(", "))));
        return tags;
    }

    /** So is each outcome that it selects: a misspelled one would select nothing. */
    @ParameterizedTest
    @ValueSource(strings = {DASHBOARD, RULES, TESTS_OF_RULES})
    void outcomes_exist(String file) throws IOException {
        assertThat(Scrape.all(OUTCOME, Files.readString(Path.of(file))))
                .isNotEmpty()
                .isSubsetOf(Scrape.ofAllMeters().outcomes());
    }
}
