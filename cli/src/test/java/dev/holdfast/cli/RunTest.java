package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code holdfast run} while Redis works: what the command is given, exit codes, and signals. */
final class RunTest {
    private final RedisServer server = RedisServer.builder().start();

    private final Path directory;

    RunTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Invocation run(String... words) {
        return Invocation.start(server.uri(), words);
    }

    /** The command runs while the lock is held by the owner that it is told, and the lock is released afterwards. */
    @Test
    void command_isRunUnderTheLock() throws IOException {
        Path told = directory.resolve("told");
        Invocation run = run(
                "run",
                "-c",
                "jobs",
                "--",
                "echo $HOLDFAST_LOCK $HOLDFAST_OWNER $HOLDFAST_TOKEN > " + told + ".new; mv " + told + ".new " + told
                        + "; while [ -e " + told + " ]; do sleep 0.02; done");
        eventually(() -> Files.exists(told));

        List<String> words = List.of(Files.readString(told).strip().split(" ", -1));
        assertThat(words).hasSize(2).first().isEqualTo("jobs");
        assertThat(server.command("HEXISTS", "jobs", words.get(1))).isEqualTo(1L);
        Files.delete(told);
        assertThat(run.exitCode()).isZero();
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
        assertThat(run.err()).isEmpty();
    }

    /**
     * The command has a guard from its first instruction on. It suspends its parent while it looks for the guard, which
     * would be replaced by another otherwise, after the processes were listed and before they are read.
     */
    @Test
    void command_isGuarded() {
        Path pattern = directory.resolve("pattern");
        Invocation run = run(
                "run",
                "-c",
                "jobs",
                "--",
                "kill -STOP $PPID; echo HOLDFAST_OWNER=$HOLDFAST_OWNER > " + pattern + "; grep -qsFf " + pattern
                        + " /proc/[0-9]*/cmdline; found=$?; kill -CONT $PPID; exit $found");

        assertThat(run.exitCode()).isZero();
    }

    /** With {@code --token}, the command has a fencing token, which grows from run to run. */
    @Test
    void token_grows() throws IOException {
        Path tokens = directory.resolve("tokens");
        for (int i = 0; i < 2; i++) {
            assertThat(run("run", "--token", "-c", "jobs", "--", "echo $HOLDFAST_TOKEN >> " + tokens)
                            .exitCode())
                    .isZero();
        }
        List<String> lines = Files.readAllLines(tokens);
        assertThat(Long.parseLong(lines.get(1))).isGreaterThan(Long.parseLong(lines.get(0)));
    }

    /** Commands that share a lock run at the same time, each with an owner of its own, and one that writes runs alone. */
    @Test
    void shared_runAtTheSameTime() throws IOException {
        String meeting = "echo $HOLDFAST_OWNER > " + directory + "/$0; while [ ! -e " + directory + "/a ] || [ ! -e "
                + directory + "/b ]; do sleep 0.02; done; while [ -e " + directory + "/held ]; do sleep 0.02; done";
        Path held = Files.writeString(directory.resolve("held"), "");
        Invocation one = run("run", "--shared", "prices", "--", "/bin/sh", "-c", meeting, "a");
        Invocation other = run("run", "--shared", "prices", "--", "/bin/sh", "-c", meeting, "b");
        eventually(() -> Files.exists(directory.resolve("a")) && Files.exists(directory.resolve("b")));
        assertThat(run("run", "--write", "--wait", "0", "prices", "--", "true").exitCode())
                .isEqualTo(75);
        assertThat(Files.readString(directory.resolve("a"))).isNotEqualTo(Files.readString(directory.resolve("b")));
        Files.delete(held);
        assertThat(one.exitCode()).isZero();
        assertThat(other.exitCode()).isZero();
        assertThat(run("run", "--write", "prices", "--", "true").exitCode()).isZero();
        assertThat(run("run", "-c", "--write", "prices", "--", "exit 3").exitCode())
                .isEqualTo(3);
        assertThat(server.command("EXISTS", "prices")).isEqualTo(0L);
    }

    /** A name of a read-write lock that is in use is no plain lock: the message says which it is. */
    @Test
    void plain_onReadWriteLock_isRefused() {
        server.command("HSET", "prices", "mode", "write", "6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e:1:write", "1");
        server.command("PEXPIRE", "prices", "60000");
        Invocation run = run("run", "prices", "--", "true");
        assertThat(run.exitCode()).isEqualTo(69);
        assertThat(run.err()).contains("prices", "read-write lock");
    }

    /** The exit code is the command's, 128 and a signal's number if that ended it, or what shells use if it is none. */
    @ParameterizedTest
    @CsvSource({"exit 3,3", "kill -KILL $$,137", "exit 0,0"})
    void exitCode_isTheCommands(String line, int code) {
        assertThat(run("run", "-c", "jobs", "--", line).exitCode()).isEqualTo(code);
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A command that is missing or cannot be started is told apart from one that has failed; the lock is released. */
    @Test
    void exitCode_notStarted() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        Invocation missing = run("run", "jobs", "--", "no-such-command");

        assertThat(missing.exitCode()).isEqualTo(127);
        assertThat(missing.err()).isEqualTo("holdfast: there is no command 'no-such-command'\n");
        assertThat(run("run", "jobs", "--", file.toString()).exitCode()).isEqualTo(126);
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A lock that stays busy has a code of its own, one that the user chose, or none. The command is not started. */
    @Test
    void exitCode_busy() {
        ShellCommand never = ShellCommand.obedient(directory);
        Invocation owner = run("run", "jobs", "--", "sleep", "60");
        eventually(() -> server.keys().contains("jobs"));

        Invocation busy = run("run", "--wait", "0", "-c", "jobs", "--", never.line());
        assertThat(busy.exitCode()).isEqualTo(75);
        assertThat(busy.err()).isEqualTo("holdfast: lock 'jobs' is held by another owner\n");
        assertThat(run("run", "--wait", "50ms", "-E", "9", "-c", "jobs", "--", never.line())
                        .exitCode())
                .isEqualTo(9);
        Invocation ok = run("run", "--wait", "0", "--if-busy-ok", "-c", "jobs", "--", never.line());
        assertThat(ok.exitCode()).isZero();
        assertThat(ok.err()).isEmpty();
        assertThat(never.hasStarted()).isFalse();

        owner.signal(SignalName.TERM);
        assertThat(owner.exitCode()).isEqualTo(143);
    }

    /** Without a limit, a run waits for the lock and then has it, with a lease under which its command can run. */
    @Test
    void wait_untilReleased() {
        Invocation owner = run("run", "jobs", "--", "sleep", "60");
        eventually(() -> server.keys().contains("jobs"));
        Invocation next = run("run", "jobs", "--", "sleep", "1");
        eventually(() -> Long.valueOf(1L).equals(server.command("HEXISTS", "jobs", "line")));
        owner.signal(SignalName.TERM);

        assertThat(next.exitCode()).isZero();
        assertThat(owner.exitCode()).isEqualTo(143);
    }

    /** A Redis that cannot be reached, a wrong name and a wrong command line are told apart. */
    @Test
    void exitCode_failures() {
        Invocation unavailable = Invocation.start("redis://127.0.0.1:1", "run", "jobs", "--", "true");
        assertThat(unavailable.exitCode()).isEqualTo(69);
        assertThat(unavailable.err()).startsWith("holdfast: ").contains("127.0.0.1:1");
        assertThat(run("run", " ", "--", "true").exitCode()).isEqualTo(64);
        assertThat(run("run", "jobs").exitCode()).isEqualTo(64);
        assertThat(Invocation.start("nonsense", "run", "jobs", "--", "true").exitCode())
                .isEqualTo(64);
    }

    /** A signal is passed on to the command, which decides what becomes of it. A shell cannot trap one that is ignored. */
    @Test
    void signal_isForwarded() throws IOException {
        assumeThat(ShellCommand.ignoresHangup()).as("the tests run under nohup").isFalse();
        ShellCommand command = ShellCommand.onHangup(directory, 5);
        Invocation run = run("run", "-c", "jobs", "--", command.line());
        ProcessHandle[] processes = command.processes();
        run.signal(SignalName.HUP);

        assertThat(run.exitCode()).isEqualTo(5);
        ShellCommand.awaitEnd(processes);
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A second signal ends a command that ignores the first, with all it has started; the lock is released. */
    @Test
    void signal_second_kills() {
        ShellCommand command = ShellCommand.stubborn(directory);
        Invocation run = run("run", "-c", "jobs", "--", command.line());
        ProcessHandle[] processes = command.processes();
        run.signal(SignalName.TERM);
        run.signal(SignalName.TERM);

        assertThat(run.exitCode()).isEqualTo(137);
        ShellCommand.awaitEnd(processes);
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** The lock is held until the program has ended that a command has left running when a signal ended it. */
    @Test
    void signal_programLeftRunning_lockIsHeld() {
        ShellCommand command = ShellCommand.obedient(directory);
        Invocation run = run("run", "-c", "jobs", "--", command.line());
        ProcessHandle[] processes = command.processes();
        run.signal(SignalName.TERM);
        ShellCommand.awaitEnd(processes[0]);
        await().during(Duration.ofMillis(300)).until(() -> Long.valueOf(1).equals(server.command("EXISTS", "jobs")));
        processes[1].destroy();

        assertThat(run.exitCode()).isEqualTo(143);
        assertThat(ShellCommand.runs(processes[1])).isFalse();
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A second signal kills such a program, before the lock is released. */
    @Test
    void signal_second_programLeftRunning_isKilled() {
        ShellCommand command = ShellCommand.obedient(directory);
        Invocation run = run("run", "-c", "jobs", "--", command.line());
        ProcessHandle[] processes = command.processes();
        run.signal(SignalName.TERM);
        ShellCommand.awaitEnd(processes[0]);
        run.signal(SignalName.TERM);

        assertThat(run.exitCode()).isEqualTo(143);
        assertThat(ShellCommand.runs(processes[1])).isFalse();
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A signal ends the wait for a lock; no place in line is left behind. */
    @Test
    void signal_waiting_givesUp() {
        Invocation owner = run("run", "jobs", "--", "sleep", "60");
        eventually(() -> server.keys().contains("jobs"));
        Invocation waiting = run("run", "jobs", "--", "true");
        eventually(() -> Long.valueOf(1L).equals(server.command("HEXISTS", "jobs", "line")));
        waiting.signal(SignalName.INT);

        assertThat(waiting.exitCode()).isEqualTo(130);
        owner.signal(SignalName.TERM);
        assertThat(owner.exitCode()).isEqualTo(143);
        assertThat(server.command("EXISTS", "jobs")).isEqualTo(0L);
    }

    /** A signal that arrives while the lock is being granted starts no command, and the lock is released. */
    @ParameterizedTest
    @ValueSource(strings = {"--token", "--wait=10s", "--permits=2"})
    void signal_duringTheGrant_isReleased(String option) throws InterruptedException {
        CompletableFuture<Consumer<SignalName>> signals = new CompletableFuture<>();
        LockListener signalling = new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                signals.join().accept(SignalName.TERM);
            }
        };
        RunSettings settings = RunSettings.of(Parser.parse(List.of("run", option, "jobs", "--", "false")));
        Console console = new Console(Map.of(), System.out, System.err);

        int code = Run.execute(
                settings, Clients.builder(server.uri()).addListener(signalling), signals::complete, console);

        assertThat(code).isEqualTo(143);
        assertThat(server.keys()).doesNotContain("jobs", "holdfast_semaphore:{jobs}");
    }
}
