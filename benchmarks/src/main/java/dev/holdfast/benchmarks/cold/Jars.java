package dev.holdfast.benchmarks.cold;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Packs compiled classes as they are packed for a release. */
public final class Jars {
    private Jars() {}

    /** Writes all files below the directory to a jar. */
    public static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
            for (Path each : files) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }
}
