package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The jars of a build that has some broken scripts, in the way in which {@code --before} expects them.
 *
 * @param directory where they are written
 */
public record BrokenScripts(Path directory) {
    private static final String SCRIPTS = "dev/holdfast/internal/kind/";

    /**
     * Nothing but these scripts is in the jars, so that their processes use the present build with them.
     *
     * @return the jar that has them
     */
    public Path pack(List<String> scripts, String correct, String broken) throws IOException {
        Path jar = directory.resolve("holdfast-core-broken.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String script : scripts) {
                String source = source(SCRIPTS + script);
                assertThat(source).contains(correct);
                out.putNextEntry(new ZipEntry(SCRIPTS + script));
                out.write(source.replace(correct, broken).getBytes(StandardCharsets.UTF_8));
            }
        }
        for (String empty : List.of("holdfast-watchdog-broken.jar", "holdfast-pubsub-broken.jar")) {
            new ZipOutputStream(Files.newOutputStream(directory.resolve(empty))).close();
        }
        return jar;
    }

    private static String source(String script) throws IOException {
        try (InputStream in = Holdfast.class.getResourceAsStream("/" + script)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
