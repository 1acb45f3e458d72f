package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboard shows the meters that there are. */
final class DashboardTest {
    private static final Path DASHBOARD = Path.of("grafana", "holdfast.json");
    private static final Path PICTURE = Path.of("..", "..", "docs", "dashboard.svg");
    private static final Pattern SERIES = Pattern.compile("holdfast_\\w+");
    private static final Pattern GROUPING = Pattern.compile("by \\((\\w+)\\)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+)");
    private static final Pattern STATISTIC = Pattern.compile("_(count|sum|max)$");

    private static String scrape() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HoldfastMeters.create().bindTo(registry);
        SemaphoreMeters.of(SemaphoreMetersTest.readBy(new LinkedBlockingQueue<>()))
                .bindTo(registry);
        return registry.scrape();
    }

    private static Set<String> all(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonNode panels() throws IOException {
        return new ObjectMapper().readTree(Files.readString(DASHBOARD)).required("panels");
    }

    private static String expressions() throws IOException {
        return String.join("\n", panels().findValuesAsText("expr"));
    }

    /** Each time series that a panel, or the choice of instances, names is published by the meters. */
    @Test
    void series_exist() throws IOException {
        Set<String> published = all(Pattern.compile("(?m)^(holdfast_\\w+)"), scrape(), 1);
        assertThat(published).containsAll(all(SERIES, Files.readString(DASHBOARD), 0));
    }

    /** So is each tag by which a panel groups. */
    @Test
    void tags_exist() throws IOException {
        Set<String> groupings = all(GROUPING, expressions(), 1);
        assertThat(groupings).isNotEmpty().isSubsetOf(all(Pattern.compile("[{,](\\w+)=\""), scrape(), 1));
    }

    /** No meter is missing from the dashboard. */
    @Test
    void meters_areShown() throws IOException {
        Set<String> shown = all(SERIES, expressions(), 0);
        assertThat(all(TYPE, scrape(), 1)).isNotEmpty().allSatisfy(meter -> assertThat(shown)
                .as(meter)
                .anyMatch(series -> STATISTIC.matcher(series).replaceFirst("").equals(baseOf(meter))));
    }

    private static String baseOf(String meter) {
        return STATISTIC.matcher(meter).replaceFirst("");
    }

    /** The picture in the documentation has the panels that the dashboard has. */
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
