package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** Each property has a description for editors, and a row in the documentation. */
final class ConfigurationMetadataTest {
    /** A row whose default is a single value. */
    private static final Pattern DEFAULT =
            Pattern.compile("(?m)^\\| `((?:holdfast|management)\\.[a-z.-]+)` \\| `([a-z0-9-]+)` \\|");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:holdfast|management)\\.[a-z.-]+)`");

    private static Map<String, String> descriptions() throws IOException {
        return fields("description");
    }

    private static Map<String, String> fields(String field) throws IOException {
        try (InputStream metadata = Objects.requireNonNull(
                ConfigurationMetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            Map<String, Object> parsed = JsonParserFactory.getJsonParser()
                    .parseMap(new String(metadata.readAllBytes(), StandardCharsets.UTF_8));
            Map<String, String> values = new TreeMap<>();
            for (Object property : (List<?>) Objects.requireNonNull(parsed.get("properties"))) {
                Map<?, ?> fields = (Map<?, ?>) property;
                Object value = fields.get(field);
                values.put(String.valueOf(fields.get("name")), value == null ? "" : value.toString());
            }
            return values;
        }
    }

    /** A description is a sentence, and begins as those of Spring Boot do. */
    @Test
    void properties_haveDescriptions() throws IOException {
        assertThat(descriptions()).hasSizeGreaterThan(20);
        assertThat(descriptions()).allSatisfy((name, description) -> {
            if (!name.startsWith("management.")) {
                assertThat(description).as(name).endsWith(".").doesNotMatch("(?i)^(the|a) .*");
            }
        });
    }

    /** Each has its own: the processor takes that of another one whose name begins the same, if it comes first. */
    @Test
    void descriptions_areOfTheirProperty() throws IOException {
        List<String> descriptions = descriptions().values().stream()
                .filter(description -> !description.isEmpty())
                .toList();
        assertThat(descriptions).doesNotHaveDuplicates();
        assertThat(descriptions).allSatisfy(description -> assertThat(descriptions)
                .filteredOn(other -> other.endsWith(description))
                .hasSize(1));
    }

    /** What the documentation lists is there. */
    @Test
    void documented_areProperties() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "spring.md"));
        List<String> documented = ROW.matcher(page)
                .results()
                .map(row -> row.group(1))
                .filter(name -> !name.startsWith("holdfast.replicated."))
                .toList();
        assertThat(documented).hasSizeGreaterThan(20);
        assertThat(descriptions().keySet()).containsAll(documented);
    }

    /** Editors show the defaults that the documentation names. */
    @Test
    void defaults_areDocumented() throws IOException {
        Map<String, String> defaults = fields("defaultValue");
        String page = Files.readString(Path.of("..", "..", "docs", "spring.md"));
        List<MatchResult> rows = DEFAULT.matcher(page).results().toList();
        assertThat(rows).hasSizeGreaterThan(15);
        assertThat(rows).allSatisfy(row -> assertThat(
                        String.valueOf(defaults.get(row.group(1))).replace('_', '-'))
                .as(row.group(1))
                .isEqualTo(row.group(2)));
    }

    /** The table of the documentation is complete. */
    @Test
    void properties_areDocumented() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "spring.md"));
        assertThat(descriptions().keySet())
                .filteredOn(name -> !name.startsWith("holdfast.replicated.")
                        && !name.equals("management.endpoint.holdfast.cache.time-to-live"))
                .allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
    }
}
