package dev.holdfast.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples of the documentation are what is compiled and tested here. */
final class RecipesSamplesTest {
    private static final Path PAGE = Path.of("..", "..").resolve("docs/recipes.md");

    /** The page shows the whole file, without the package and the imports. */
    @ParameterizedTest
    @CsvSource({"java, LeaderElection.java", "java, ReactiveLocks.java", "kotlin, CoroutineLocks.kt"})
    void sample_isTheFile(String language, String file) throws IOException {
        Path source = Path.of("src", "main", language, "dev", "holdfast", "recipes", file);
        assertThat(samples(language)).contains(withoutImports(Files.readString(source)));
    }

    private static List<String> samples(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(sample -> sample.group(1))
                .toList();
    }

    private static String withoutImports(String source) {
        return source.replaceAll("(?m)^(package|import) .*\n", "").stripLeading();
    }
}
