package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.Freezer;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of {@code holdfast run} is stopped, killed or signalled: its command ends before its protection does. */
final class StoppedProcessTest {
    private final RedisServer server = RedisServer.builder().start();
    private long command;
    private final List<ProcessHandle> started = new ArrayList<>();
    private final Path directory;

    StoppedProcessTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Starts the program, and waits until its command has begun. */
    private Process run(String watchdog, String trap) throws IOException {
        Path pid = directory.resolve("pid");
        Process holdfast = HoldfastProcess.builder(
                        server.uri(),
                        "run",
                        "--watchdog",
                        watchdog,
                        "-c",
                        "jobs",
                        "--",
                        trap + "; echo $$ > " + pid + ".new; mv " + pid + ".new " + pid
                                + "; while :; do sleep 0.05; done")
                .start();
        started.add(holdfast.toHandle());
        await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(pid));
        command = Long.parseLong(Files.readString(pid).strip());
        ProcessHandle.of(command).ifPresent(started::add);
        return holdfast;
    }

    @AfterEach
    void stop() {
        started.forEach(ProcessHandle::destroyForcibly);
        server.close();
    }

    /**
     * Stopped for longer than its lease, the process cannot end its command; the guard does, while Redis still has the
     * lock. When the process continues, it exits with the code for a lost lock.
     */
    @Test
    void paused_commandEndsInTime() throws Exception {
        Process holdfast = run("8s", "trap '' TERM");
        Freezer.freeze(holdfast);

        await().atMost(60, TimeUnit.SECONDS)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> !runs(command));
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(1L);
        await().atMost(60, TimeUnit.SECONDS).until(() -> Long.valueOf(0L).equals(server.command("EXISTS", "jobs")));
        Freezer.thaw(holdfast);
        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(70);
    }

    /** A process that is killed leaves its command to the guard, which ends it while Redis still has the lock. */
    @Test
    void killed_commandEndsInTime() throws Exception {
        Process holdfast = run("8s", "trap '' TERM");
        holdfast.destroyForcibly();

        await().atMost(60, TimeUnit.SECONDS)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> !runs(command));
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(1L);
    }

    /** SIGTERM, as the kernel delivers it, is passed on; the lock is released before the process ends. */
    @Test
    void terminated_commandIsTold() throws Exception {
        Process holdfast = run("30s", "trap 'echo told; exit 4' TERM");
        holdfast.toHandle().destroy(); // Process.destroy would close the pipe as well

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(4);
        assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("told\n");
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** An orphan that has ended may stay in the table of processes. */
    private static boolean runs(long process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
