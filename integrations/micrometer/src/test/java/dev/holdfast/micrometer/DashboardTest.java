package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard shows the meters that there are. */
final class DashboardTest {
    private static final Path DASHBOARD = Path.of("grafana", "holdfast.json");
    private static final Path PICTURE = Path.of("..", "..", "docs", "dashboard.svg");
    private static final Pattern SERIES = Pattern.compile("(holdfast_\\w+)");
    private static final Pattern STATISTIC = Pattern.compile("_(count|sum|max)$");

    private static JsonNode panels() throws IOException {
        return new ObjectMapper().readTree(Files.readString(DASHBOARD)).required("panels");
    }

    private static String expressions() throws IOException {
        return String.join("\n", panels().findValuesAsText("expr"));
    }

    /** No meter is missing from the dashboard. */
    @Test
    void meters_areShown() throws IOException {
        Set<String> shown = Scrape.all(SERIES, expressions());
        assertThat(Scrape.ofAllMeters().meters()).isNotEmpty().allSatisfy(meter -> assertThat(shown)
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
