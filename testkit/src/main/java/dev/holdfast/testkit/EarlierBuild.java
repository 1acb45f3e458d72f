package dev.holdfast.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The jars of an earlier build of Holdfast, for processes that use it beside the present one. */
public final class EarlierBuild {
    private static final List<String> JARS = List.of("holdfast-core", "holdfast-watchdog", "holdfast-pubsub");

    private EarlierBuild() {}

    /**
     * {@return a class path with the jars in this directory ahead of the class path of this process}
     *
     * @throws IllegalArgumentException if it is no directory that can be read, or lacks the jar of holdfast-core,
     *     -watchdog or -pubsub: that of the present build would be used in its place
     */
    public static String classPath(Path directory) {
        List<Path> jars = jars(directory);
        for (String required : JARS) {
            if (jars.stream().noneMatch(jar -> jar.getFileName().toString().startsWith(required + "-"))) {
                throw refused(directory, "without that of " + required, null);
            }
        }
        return Stream.concat(
                        jars.stream().map(jar -> jar.toAbsolutePath().toString()),
                        Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<Path> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw refused(directory, "which cannot be listed (" + e + ")", e);
        }
    }

    private static IllegalArgumentException refused(Path directory, String reason, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "--before must name a directory with the jars of holdfast-core, -watchdog and -pubsub, was " + directory
                        + ", " + reason,
                cause);
    }
}
