package dev.holdfast.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars of an earlier build of Holdfast, for processes that use it beside the present one. */
public final class EarlierBuild {
    private EarlierBuild() {}

    /**
     * {@return a class path with the jars in this directory ahead of the class path of this process}
     *
     * @throws IllegalArgumentException if there is no jar of holdfast-core in it
     */
    public static String classPath(Path directory) {
        List<String> jars = jars(directory);
        if (jars.stream().noneMatch(jar -> Path.of(jar).getFileName().toString().startsWith("holdfast-core"))) {
            throw new IllegalArgumentException(
                    "--before must name a directory with the jars of holdfast-core, -watchdog and -pubsub, was "
                            + directory);
        }
        return Stream.concat(jars.stream(), Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .map(file -> file.toAbsolutePath().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }
}
