package dev.holdfast.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The samples of the documentation are what is compiled and tested here, and in the consumers. */
final class RecipesSamplesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path PAGE = ROOT.resolve("docs/recipes.md");
    private static final Pattern SAMPLE = Pattern.compile("```(?:java|kotlin)\n(.*?)```", Pattern.DOTALL);

    private static final String HERE = "examples/recipes/src/main/java/dev/holdfast/recipes/";
    private static final String CONSUMERS = "verification/consumers/recipe-";
    private static final List<String> FILES = List.of(
            HERE + "LeaderElection.java",
            CONSUMERS + "boot3/src/main/java/dev/holdfast/consumers/boot3/HoldfastConfiguration.java",
            CONSUMERS + "micronaut/src/main/java/dev/holdfast/consumers/micronaut/HoldfastFactory.java",
            CONSUMERS + "quarkus/src/main/java/dev/holdfast/consumers/quarkus/HoldfastProducer.java",
            HERE + "ReactiveLocks.java",
            CONSUMERS + "ktor/src/main/kotlin/dev/holdfast/consumers/ktor/HoldfastApplication.kt",
            CONSUMERS + "ktor/src/main/kotlin/dev/holdfast/consumers/ktor/Shipping.kt");

    /** The page shows the whole files, without the packages and the imports, and nothing else. */
    @Test
    void samples_areTheFiles() throws IOException {
        List<String> samples = SAMPLE.matcher(Files.readString(PAGE))
                .results()
                .map(sample -> sample.group(1))
                .toList();
        assertThat(samples)
                .containsExactlyElementsOf(
                        FILES.stream().map(RecipesSamplesTest::withoutImports).toList());
    }

    private static String withoutImports(String file) {
        try {
            return Files.readString(ROOT.resolve(file))
                    .replaceAll("(?m)^(package|import) .*\n", "")
                    .stripLeading();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
