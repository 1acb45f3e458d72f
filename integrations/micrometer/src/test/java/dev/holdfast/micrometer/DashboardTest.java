package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard shows the meters that there are. */
final class DashboardTest {
    private static final Path DASHBOARD = Path.of("grafana", "holdfast.json");
    private static final Path PICTURE = Path.of("..", "..", "docs", "dashboard.svg");
    private static final Pattern SERIES = Pattern.compile("(holdfast_\\w+)");
    private static final Pattern STATISTIC = Pattern.compile("_(count|sum|max)$");
    private static final Pattern SELECTOR = Pattern.compile("(holdfast_\\w+\\{[^}]*})");
    private static final Pattern SELECTED = Pattern.compile("(\\w+)(?:=~?|!=|!~)\"");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern VARIABLE = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(Files.readString(DASHBOARD));
    }

    private static JsonNode panels() throws IOException {
        return dashboard().required("panels");
    }

    private static List<JsonNode> targets() throws IOException {
        return panels().findValues("targets").stream()
                .flatMap(targets -> StreamSupport.stream(targets.spliterator(), false))
                .toList();
    }

    private static List<String> expressions() throws IOException {
        return panels().findValuesAsText("expr");
    }

    /** No meter is missing from the dashboard. */
    @Test
    void meters_areShown() throws IOException {
        Set<String> shown = Scrape.all(SERIES, String.join("\n", expressions()));
        assertThat(Scrape.ofAllMeters().meters()).isNotEmpty().allSatisfy(meter -> assertThat(shown)
                .as(meter)
                .anyMatch(series -> STATISTIC.matcher(series).replaceFirst("").equals(baseOf(meter))));
    }

    private static String baseOf(String meter) {
        return STATISTIC.matcher(meter).replaceFirst("");
    }

    /** A panel selects, groups and shows its series by tags that each of them has: by another one it would show nothing, or one line. */
    @Test
    void tags_areOfTheSeries() throws IOException {
        assertThat(targets()).hasSizeGreaterThan(20).allSatisfy(target -> {
            String expression = target.required("expr").asText();
            Set<String> tags = Scrape.all(SHOWN, target.required("legendFormat").asText());
            tags.addAll(NamedSeriesTest.grouping(expression));
            tags.addAll(Scrape.all(SELECTED, expression));
            tags.remove("instance");
            assertThat(Scrape.all(SERIES, expression)).isNotEmpty().allSatisfy(series -> assertThat(
                            Scrape.ofAllMeters().tags(series))
                    .as("%s in %s", series, expression)
                    .containsAll(tags));
        });
    }

    /** All panels follow both variables, whose values are tags that there are. */
    @Test
    void variables_narrowAllPanels() throws IOException {
        Map<String, String> variables = new TreeMap<>();
        for (JsonNode variable : dashboard().required("templating").required("list")) {
            VARIABLE.matcher(variable.path("query").path("query").asText())
                    .results()
                    .forEach(query -> variables.put(query.group(2), query.group(1)));
        }
        assertThat(variables).containsOnlyKeys("client", "instance");
        assertThat(variables.values()).allSatisfy(series -> assertThat(Scrape.ofAllMeters()
                        .tags(Scrape.all(SERIES, series).iterator().next()))
                .contains("client"));
        String all = String.join("\n", expressions());
        assertThat(Scrape.all(SELECTOR, all))
                .allSatisfy(selector ->
                        assertThat(selector).contains("instance=~\"$instance\"").contains("client=~\"$client\""))
                .extracting(selector -> selector.substring(0, selector.indexOf('{')))
                .containsAll(Scrape.all(SERIES, all));
    }

    /** Each expression is one that Prometheus can evaluate. */
    @Test
    void expressions_areValid(@TempDir Path directory) throws Exception {
        StringBuilder rules = new StringBuilder("groups: [{name: panels, rules: [\n");
        for (String expression : new TreeSet<>(expressions())) {
            String evaluated = expression.replace("$__rate_interval", "5m").replace("$__range", "1h");
            rules.append("{record: panel, expr: '").append(evaluated).append("'},\n");
        }
        Path file = Files.writeString(directory.resolve("panels.yml"), rules.append("]}]\n"));
        Promtool.accepts("check", "rules", "--lint=none", file.toString());
    }

    /** The panels do not overlap, and none is wider than the page. */
    @Test
    void panels_areBesideEachOther() throws IOException {
        Set<List<Integer>> cells = new HashSet<>();
        for (JsonNode panel : panels()) {
            JsonNode grid = panel.required("gridPos");
            int x = grid.required("x").asInt();
            int y = grid.required("y").asInt();
            assertThat(x + grid.required("w").asInt()).isLessThanOrEqualTo(24);
            for (int i = x; i < x + grid.required("w").asInt(); i++) {
                for (int j = y; j < y + grid.required("h").asInt(); j++) {
                    assertThat(cells.add(List.of(i, j)))
                            .as(panel.required("title").asText())
                            .isTrue();
                }
            }
        }
    }

    /** The picture in the documentation has the rows and panels that the dashboard has. */
    @Test
    void picture_hasThePanels() throws IOException {
        List<String> titles = panels().findValuesAsText("title");
        assertThat(titles).doesNotHaveDuplicates();
        assertThat(Files.readString(PICTURE))
                .contains(titles.stream()
                        .map(title -> "fill=\"#ffffff\" text-anchor=\"start\">" + title + "<")
                        .toList());
    }
}
