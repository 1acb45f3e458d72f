package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guard, a shell beside the command. */
final class GuardTest {
    private static final EndTerms TERMS = EndTerms.of(Duration.ofSeconds(4));
    private static final String OWNER = UUID.randomUUID() + ":-1";

    private final List<Process> started = new ArrayList<>();
    private final List<Guard> guards = new ArrayList<>();
    private final Path directory;

    GuardTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Process start(ShellCommand command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command.line());
        builder.environment().put("HOLDFAST_OWNER", OWNER);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Guard guard(Duration remaining) throws IOException {
        return guard(TERMS, () -> remaining);
    }

    private Guard guard(EndTerms terms, Supplier<Duration> remaining) throws IOException {
        Guard guard = Guard.start(OWNER, terms, remaining).orElseThrow();
        guards.add(guard);
        return guard;
    }

    @AfterEach
    void stop() {
        guards.forEach(Guard::dismiss);
        started.forEach(GuardTest::kill);
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** At the end of the lease, a command that does not end is killed, with the program that it runs. */
    @Test
    void leaseOver_stubborn_isKilled() throws IOException {
        ShellCommand command = ShellCommand.stubborn(directory);
        Process process = start(command);
        ProcessHandle[] processes = command.processes();
        guard(Duration.ofMillis(500)).assign(process.pid());

        ShellCommand.awaitEnd(processes);
    }

    /** A guard that was not given the id of its command, since the process was killed before that, finds the command. */
    @Test
    void leaseOver_idUnknown_isKilled() throws IOException {
        ShellCommand command = ShellCommand.stubborn(directory);
        start(command);
        ProcessHandle[] processes = command.processes();
        guard(Duration.ofMillis(500));

        ShellCommand.awaitEnd(processes);
    }

    /** A command that ends when it is told to does not have to be killed. */
    @Test
    void leaseOver_obedient_isTold() throws IOException {
        ShellCommand command = ShellCommand.obedient(directory);
        Process process = start(command);
        ProcessHandle[] processes = command.processes();
        AtomicReference<Duration> remaining = new AtomicReference<>(Duration.ofMinutes(10));
        Guard guard = guard(new EndTerms(Duration.ofMinutes(4), Duration.ZERO), remaining::get);
        guard.assign(process.pid()); // before the end is due: a guard that acts is not replaced in the middle of that
        remaining.set(Duration.ofMinutes(2)); // at once, and killed 2 minutes later
        guard.renew();

        ShellCommand.awaitEnd(processes);
        assertThat(process.onExit().join().exitValue()).isEqualTo(143);
    }

    /** A renewal replaces the guard by a later one, and a dismissal ends it: nothing of it is left. */
    @Test
    void renewedAndDismissed_leavesNothing() throws IOException {
        Process process = start(ShellCommand.obedient(directory));
        Guard guard = guard(Duration.ofSeconds(40));
        guard.assign(process.pid());
        guard.renew();
        eventually(() -> guardProcesses().count() == 1);
        guard.dismiss();

        eventually(() -> guardProcesses().findAny().isEmpty());
        eventually(() -> ProcessHandle.current().descendants().noneMatch(child -> child.info()
                .arguments()
                .map(words -> words[0].matches("3\\d\\.\\d\\d"))
                .orElse(false)));
        assertThat(process.isAlive()).isTrue();
    }

    /** Another process that has got the id of the command meanwhile is left alone: a guard whose command has ended ends. */
    @Test
    void commandEnded_guardEnds() throws IOException {
        Process process = start(ShellCommand.obedient(directory));
        guard(Duration.ofMillis(1_500)).assign(process.pid());
        kill(process);

        eventually(() -> guardProcesses().findAny().isEmpty());
    }

    private static Stream<ProcessHandle> guardProcesses() {
        return ProcessHandle.current().children().filter(child -> child.info()
                .arguments()
                .map(words -> Stream.of(words).anyMatch("holdfast-guard"::equals))
                .orElse(false));
    }
}
