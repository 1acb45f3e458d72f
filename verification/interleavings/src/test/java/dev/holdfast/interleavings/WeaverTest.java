package dev.holdfast.interleavings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The set of classes whose interleavings are explored. */
final class WeaverTest {
    private static final String LIST = "woven-classes.txt";

    /**
     * The woven classes of the engine are those of {@code woven-classes.txt}. So a class that is renamed or moved does
     * not silently leave the set, nor does an excluded one enter it.
     */
    @Test
    void wovenClasses_areAsCheckedIn() throws IOException, URISyntaxException {
        assertThat(topLevelClasses()).filteredOn(Weaver::isOfEngine).containsExactlyElementsOf(checkedIn());
    }

    private static List<String> checkedIn() throws IOException {
        try (InputStream list = Objects.requireNonNull(WeaverTest.class.getResourceAsStream(LIST), LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** {@return the internal names of the top-level classes of the library's engine, in order} */
    private static List<String> topLevelClasses() throws IOException, URISyntaxException {
        URI library = Holdfast.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path place = Path.of(library);
        if (Files.isDirectory(place)) {
            return topLevelClasses(place);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place, Map.<String, Object>of())) {
            return topLevelClasses(jar.getPath("/"));
        }
    }

    private static List<String> topLevelClasses(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-info"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
