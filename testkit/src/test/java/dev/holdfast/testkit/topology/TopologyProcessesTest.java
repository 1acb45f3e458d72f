package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.ProcessChecks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The topologies of several JVMs do not disturb each other, and none outlives its JVM. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a shell watches the JVM")
@Tag("slow")
final class TopologyProcessesTest {
    private static final int JVMS = 2;
    private static final int SERVERS = 12;

    /** JVMs that start both topologies at once get all of them, and a SIGKILL leaves none of their servers. */
    @Test
    void killedJvms_leaveNoServers(@TempDir Path directory) throws IOException {
        List<Process> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < JVMS; i++) {
                jvms.add(jvm(directory));
            }
            List<Long> servers = new ArrayList<>();
            for (Process jvm : jvms) {
                servers.addAll(servers(jvm));
            }
            assertThat(servers).hasSize(JVMS * SERVERS).allMatch(ProcessChecks::isRunning);
            jvms.forEach(Process::destroyForcibly);
            await().atMost(Waiting.TIMEOUT).until(() -> servers.stream().noneMatch(ProcessChecks::isRunning));
        } finally {
            jvms.forEach(Process::destroyForcibly);
        }
    }

    private static Process jvm(Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        TopologyStart.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The process ids that a JVM prints, up to an empty line. */
    private static List<Long> servers(Process jvm) throws IOException {
        List<Long> servers = new ArrayList<>();
        try (BufferedReader out = jvm.inputReader()) {
            for (String line = out.readLine(); line != null && !line.isEmpty(); line = out.readLine()) {
                servers.add(Long.valueOf(line));
            }
        }
        return servers;
    }
}
