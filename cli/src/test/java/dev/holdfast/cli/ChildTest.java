package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of a command and its descendants, without a guard that would end what this class forgets. */
final class ChildTest {
    private final Path directory;
    private final List<ProcessHandle> started = new ArrayList<>();

    ChildTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Child start(ShellCommand command) throws IOException {
        Child child = Child.start(List.of("/bin/sh", "-c", command.line()), environment -> {});
        started.addAll(List.of(command.processes()));
        return child;
    }

    @AfterEach
    void stop() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /** A shell that is told to end leaves the program that it runs, which is therefore told as well. */
    @Test
    void terminate_tellsDescendants() throws IOException {
        ShellCommand command = ShellCommand.obedient(directory);
        Child child = start(command);

        child.terminate();

        ShellCommand.awaitEnd(started.toArray(ProcessHandle[]::new));
        eventually(() -> !child.hasSurvivors());
    }

    /** A program that does not end when it is told to survives its shell, which does. */
    @Test
    void terminate_descendantStays_isSurvivor() throws IOException {
        ShellCommand command = ShellCommand.stubbornProgram(directory);
        Child child = start(command);

        child.terminate();

        eventually(() -> !child.isAlive());
        assertThat(child.hasSurvivors()).isTrue();
        child.kill();
        ShellCommand.awaitEnd(started.toArray(ProcessHandle[]::new));
    }

    /** A program that has ended is no survivor, whether or not its parent asks for its exit code. */
    @Test
    void ended_notReaped_isNoSurvivor() throws IOException {
        Path file = directory.resolve("pid");
        Child child = Child.start(
                List.of("/bin/sh", "-c", "sleep 150 & echo $! > " + file + "; exec sleep 150"), environment -> {});
        started.add(ProcessHandle.of(child.pid()).orElseThrow());
        eventually(() -> Files.exists(file) && Files.size(file) > 0);
        ProcessHandle program =
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
        child.noteDescendants();
        assertThat(child.hasSurvivors()).isTrue();

        program.destroyForcibly();

        eventually(() -> !child.hasSurvivors());
        assertThat(child.isAlive()).isTrue();
    }

    /** All that ignore other signals are killed. */
    @Test
    void kill_killsDescendants() throws IOException {
        ShellCommand command = ShellCommand.stubborn(directory);
        Child child = start(command);

        child.kill();

        ShellCommand.awaitEnd(started.toArray(ProcessHandle[]::new));
    }
}
