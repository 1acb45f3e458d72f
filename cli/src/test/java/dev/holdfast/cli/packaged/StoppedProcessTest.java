package dev.holdfast.cli.packaged;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.Freezer;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The process of {@code holdfast run} is stopped, killed or signalled: its command ends before its protection does. */
@Timeout(180)
@Tag("slow")
final class StoppedProcessTest {
    private final RedisServer server = RedisServer.builder().start();
    private long command;
    private final List<ProcessHandle> started = new ArrayList<>();
    private final Path directory;

    StoppedProcessTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Starts the program, and waits until its command has begun, which stores the time again and again. */
    private Process run(String watchdog, String trap) throws IOException {
        return run("--watchdog=" + watchdog, trap, "exec \"$0\" \"$@\"");
    }

    /** @param start what a shell does to start it */
    private Process run(String lease, String trap, String start) throws IOException {
        Path pid = directory.resolve("pid");
        ProcessBuilder builder = HoldfastProcess.builder(
                server.uri(),
                "run",
                lease,
                "-c",
                "jobs",
                "--",
                trap + "; cat /proc/uptime > " + beats() + "; echo $$ > " + pid + ".new; mv " + pid + ".new "
                        + pid + "; while sleep 0.05; do read -r now < /proc/uptime; echo \"$now\" >> " + beats()
                        + "; done");
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", start));
        words.addAll(builder.command());
        builder.command(words);
        Process holdfast = builder.start();
        started.add(holdfast.toHandle());
        eventually(() -> Files.exists(pid));
        command = Long.parseLong(Files.readString(pid).strip());
        ProcessHandle.of(command).ifPresent(started::add);
        return holdfast;
    }

    private Path beats() {
        return directory.resolve("beats");
    }

    /** {@return the last time in the file, in seconds since the machine was started} */
    private static double lastTime(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return Double.parseDouble(lines.get(lines.size() - 1).split(" ", -1)[0]);
    }

    /**
     * Waits until the command has ended. It did nothing after the end of the lease, by its own clock: when it is seen to
     * have ended is of no account, as this process may be late as well.
     */
    private void assertEndsInTime() throws IOException {
        double leaseEnd = 0;
        do {
            double before = lastTime(Path.of("/proc/uptime"));
            if (server.command("PTTL", "jobs") instanceof Long left && left > 0) {
                leaseEnd = Math.max(leaseEnd, before + left / 1000.0);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        } while (runs(command) && lastTime(beats()) < leaseEnd);
        assertThat(lastTime(beats())).isLessThan(leaseEnd);
    }

    @AfterEach
    void stop() {
        started.forEach(ProcessHandle::destroyForcibly);
        server.close();
    }

    /**
     * Stopped for longer than its lease, the process cannot end its command; the guard does, before Redis gives up the
     * lock. When the process continues, it exits with the code for a lost lock.
     */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void paused_commandEndsInTime() throws Exception {
        Process holdfast = run("18s", "trap '' TERM");
        Freezer.freeze(holdfast);

        assertEndsInTime();
        eventually(() -> Long.valueOf(0L).equals(server.command("EXISTS", "jobs")));
        Freezer.thaw(holdfast);
        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(70);
    }

    /** A process that is killed leaves its command to the guard, which ends it before Redis gives up the lock. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void killed_commandEndsInTime() throws Exception {
        Process holdfast = run("18s", "trap '' TERM");
        holdfast.destroyForcibly();

        assertEndsInTime();
    }

    /**
     * SIGTERM for the whole process group, as {@code timeout} sends it, leaves the guard: it ends a command that is slow
     * to end when the process is killed meanwhile. An explicit lease has no renewal that would start another guard.
     */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void groupTerminated_thenKilled_commandEndsInTime() throws Exception {
        Process holdfast = run("--lease=18s", "trap '' TERM", "exec setsid \"$0\" \"$@\"");
        eventually(() -> isGuarded(holdfast));
        send("TERM", -holdfast.pid());
        holdfast.destroyForcibly();

        assertEndsInTime();
    }

    /** {@return whether the guard that has the id of the command sleeps} */
    private boolean isGuarded(Process holdfast) {
        return holdfast.children()
                .filter(child -> words(child).containsAll(List.of("holdfast-guard", Long.toString(command))))
                .flatMap(ProcessHandle::children)
                .anyMatch(child -> words(child).size() == 1);
    }

    private static List<String> words(ProcessHandle process) {
        return process.info().arguments().map(List::of).orElse(List.of());
    }

    /** SIGTERM, as the kernel delivers it, is passed on; the lock is released before the process ends. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void terminated_commandIsTold() throws Exception {
        Process holdfast = run("30s", "trap 'echo told; exit 4' TERM");
        holdfast.toHandle().destroy(); // Process.destroy would close the pipe as well

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(4);
        assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("told\n");
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** SIGQUIT, which Java answers by itself, is passed on like the others, and nothing else is printed. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void quit_commandIsTold() throws Exception {
        Process holdfast = run("30s", "trap 'echo told; exit 4' QUIT");
        send("QUIT", holdfast);

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(4);
        assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("told\n");
    }

    /** The same of a command that does not unblock by itself the signals that are blocked when it starts. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void quit_bash_isTold() throws Exception {
        Process holdfast = HoldfastProcess.builder(
                        server.uri(),
                        "run",
                        "jobs-of-bash",
                        "--",
                        "bash",
                        "-c",
                        "trap 'echo told; exit 4' QUIT; echo ready; while true; do sleep 0.1; done")
                .start();
        for (char expected : "ready\n".toCharArray()) {
            assertThat(holdfast.getInputStream().read()).isEqualTo(expected);
        }
        send("QUIT", holdfast);

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(4);
    }

    /** The same if an option stands before the word {@code run}. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void quit_optionFirst_commandIsTold() throws Exception {
        Process holdfast = run(
                "--watchdog=30s",
                "trap 'echo told; exit 4' QUIT",
                "run=$1; option=$2; shift 2; exec \"$0\" \"$option\" \"$run\" \"$@\"");
        send("QUIT", holdfast);

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(4);
    }

    /** A second SIGQUIT ends a command that does not end by the first. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void quit_twice_kills() throws Exception {
        Process holdfast = run("30s", "trap 'echo told' QUIT");
        send("QUIT", holdfast);
        for (char expected : "told\n".toCharArray()) {
            assertThat(holdfast.getInputStream().read()).isEqualTo(expected);
        }
        await().pollDelay(Duration.ofMillis(250)).until(() -> true); // sooner, it would count as the same signal
        send("QUIT", holdfast);

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(137);
    }

    /** One that is ignored, as in the background of a script, stays ignored: nothing is passed on, and nothing printed. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void quit_ignored() throws Exception {
        Process holdfast = run("--watchdog=30s", "trap 'echo told' QUIT", "trap '' QUIT; exec \"$0\" \"$@\"");
        send("QUIT", holdfast);
        send("TERM", holdfast);

        assertThat(holdfast.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holdfast.exitValue()).isEqualTo(143);
        assertThat(holdfast.getInputStream().readAllBytes()).isEmpty();
    }

    private static void send(String signal, Process to) throws Exception {
        send(signal, to.pid());
    }

    /** @param to a process, or the negative of a process group */
    private static void send(String signal, long to) throws Exception {
        assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + to)
                        .start()
                        .waitFor())
                .isZero();
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
