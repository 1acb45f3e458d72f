package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page on the order of monitors names each class that has one, and no other. */
@Tag("pure")
final class LockOrderTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    private static final Pattern LOCK = Pattern.compile("\\bsynchronized\\b|\\.synchronized\\w+\\(|new \\w+Lock\\(\\)");

    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*)[^`]*`");

    /** Each class whose source locks something has a row, or is named in one as a class that uses the same monitor. */
    @Test
    void table_isComplete() {
        Set<String> named = rows().flatMap(LockOrderTest::types).collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).containsAll(classesThatLock());
    }

    /** Each row is that of a class that locks something. */
    @Test
    void table_isUpToDate() {
        Set<String> owners = rows().flatMap(row -> types(row.replaceFirst(";.*", "")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(owners).isNotEmpty();
        assertThat(classesThatLock()).containsAll(owners);
    }

    /** {@return the first column of the table, without its heading} */
    private static Stream<String> rows() {
        return read(ROOT.resolve("docs/design/lock-order.md"))
                .replaceFirst("(?s)\n## .*", "")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1)[1]);
    }

    private static Stream<String> types(String text) {
        return TYPE.matcher(text).results().map(type -> type.group(1));
    }

    private static Set<String> classesThatLock() {
        return Stream.of("core", "watchdog", "pubsub")
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(sources -> sources(sources).stream())
                .filter(source -> LOCK.matcher(COMMENT.matcher(read(source)).replaceAll(""))
                        .find())
                .map(source -> source.getFileName().toString().replaceFirst("\\.java$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> sources(Path under) {
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
