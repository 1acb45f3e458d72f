package dev.holdfast.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes of both libraries exclude each other. */
@Tag("interop")
@Tag("driver")
@Tag("slow")
class ProcessesInteropTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 100;

    /**
     * A process of each library counts in Redis, and together they lose no count, although they read first and write
     * later.
     */
    @Test
    void lock_processesOfBoth_countExactly() throws Exception {
        String name = Neighbours.newName();
        String counter = name + ":counter";
        List<Process> processes = new ArrayList<>();
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", counter, "0");
            for (String library : List.of("holdfast", "redisson")) {
                processes.add(start(library, server.uri(), name, counter));
            }

            for (Process process : processes) {
                assertThat(firstLineOf(process)).isEqualTo("ready");
            }
            for (Process process : processes) {
                process.getOutputStream().close();
            }

            for (Process process : processes) {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isZero();
            }
            assertThat(server.command("GET", counter)).isEqualTo("" + processes.size() * THREADS * ROUNDS);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(String library, String uri, String name, String counter) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountingProcess.class.getName(),
                        library,
                        uri,
                        name,
                        counter,
                        Integer.toString(THREADS),
                        Integer.toString(ROUNDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String firstLineOf(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
    }
}
