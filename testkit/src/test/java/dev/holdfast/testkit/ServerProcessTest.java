package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server does not outlive the JVM that started it, and its watcher does not outlive the server. */
final class ServerProcessTest {
    /** A JVM ended by SIGKILL, which runs no hook, takes its server with it: a running one as well as a frozen one. */
    @ParameterizedTest
    @ValueSource(strings = {"running", "paused"})
    void killedJvm_leavesNoServer(String state, @TempDir Path directory) throws IOException {
        assumeTrue(Freezer.hasShell(), "only a shell can watch a JVM");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orphans.class.getName(),
                        state)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = jvm.inputReader()) {
            long server = Long.parseLong(out.readLine());
            assertThat(ProcessChecks.isRunning(server)).isTrue();
            jvm.destroyForcibly();
            await().atMost(ProcessChecks.TIMEOUT).until(() -> !ProcessChecks.isRunning(server));
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** A process that ends by itself takes its watcher with it. */
    @Test
    void endedProcess_leavesNoWatcher(@TempDir Path directory) {
        assumeTrue(Freezer.hasShell(), "without a shell there is no watcher");
        ServerProcess process = ServerProcess.start(List.of("sleep", "3600"), directory, directory.resolve("log"));
        ProcessHandle server = ProcessHandle.of(process.pid()).orElseThrow();
        await().atMost(ProcessChecks.TIMEOUT).until(() -> server.children().count() == 1);
        long watcher = server.children().findFirst().orElseThrow().pid();
        process.kill();
        await().atMost(ProcessChecks.TIMEOUT).until(() -> !ProcessChecks.isRunning(watcher));
    }

    /** A test that blocks all threads of the common pool, which may be a single one, can end a server. */
    @Test
    void kill_whileCommonPoolIsBlocked(@TempDir Path directory) {
        CountDownLatch ended = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().execute(() -> await().forever().until(() -> ended.getCount() == 0));
        }
        try {
            ServerProcess process = ServerProcess.start(List.of("sleep", "3600"), directory, directory.resolve("log"));
            process.kill();
            assertThat(process.isAlive()).isFalse();
        } finally {
            ended.countDown();
        }
    }
}
