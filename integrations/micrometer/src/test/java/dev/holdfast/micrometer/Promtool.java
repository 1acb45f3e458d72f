package dev.holdfast.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The promtool of Prometheus, where it is on the PATH; a test that needs it is skipped where it is not. */
final class Promtool {
    private static final String NAME = "promtool";

    private Promtool() {}

    /** Asserts that it ends with status 0. */
    static void accepts(String... arguments) throws IOException, InterruptedException {
        assumeTrue(isOnPath(), "no promtool is on the PATH: it is in Debian's package prometheus");
        List<String> command = new ArrayList<>(List.of(NAME));
        command.addAll(List.of(arguments));
        Process promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertThat(promtool.waitFor()).as("%s", output).isZero();
    }

    private static boolean isOnPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, NAME)));
    }
}
