package dev.holdfast.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A command that runs until it is ended, and stores its process id and those of its descendants. */
final class ShellCommand {
    private final Path directory;
    private final String reaction;
    private final String reactionOnceStarted;

    private ShellCommand(Path directory, String reaction) {
        this(directory, reaction, "");
    }

    private ShellCommand(Path directory, String reaction, String reactionOnceStarted) {
        this.directory = directory;
        this.reaction = reaction;
        this.reactionOnceStarted = reactionOnceStarted;
    }

    /** Ends when it receives a signal, and leaves a program that it has started running. */
    static ShellCommand obedient(Path directory) {
        return new ShellCommand(directory, "");
    }

    /** Ignores the signals that ask it to end, as does the program that it has started. */
    static ShellCommand stubborn(Path directory) {
        return new ShellCommand(directory, "trap '' TERM INT HUP; ");
    }

    /** Ends when it receives a signal; the program that it has started ignores those that ask it to end. */
    static ShellCommand stubbornProgram(Path directory) {
        return new ShellCommand(directory, "trap '' TERM INT HUP; ", "trap - TERM INT HUP; ");
    }

    /** Exits with this code when it receives SIGHUP. */
    static ShellCommand onHangup(Path directory, int code) {
        return new ShellCommand(directory, "trap 'kill $!; exit " + code + "' HUP; ");
    }

    /** {@return whether this process, and so its commands, ignore SIGHUP, as under {@code nohup}} */
    static boolean ignoresHangup() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> line.matches(".*[13579bdf]"));
    }

    /** {@return the line for {@code /bin/sh -c}} */
    String line() {
        Path file = directory.resolve("pids");
        return reaction + "sleep 150 & " + reactionOnceStarted + "echo $$ $! > " + file + ".new; mv " + file + ".new "
                + file + "; wait; wait";
    }

    boolean hasStarted() {
        return Files.exists(directory.resolve("pids"));
    }

    /** {@return the shell, and the program that it has started} */
    ProcessHandle[] processes() {
        await().atMost(60, TimeUnit.SECONDS).until(this::hasStarted);
        try {
            String[] ids = Files.readString(directory.resolve("pids")).strip().split(" ", -1);
            return new ProcessHandle[] {handle(ids[0]), handle(ids[1])};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessHandle handle(String id) {
        return ProcessHandle.of(Long.parseLong(id)).orElseThrow(() -> new AssertionError("has ended: " + id));
    }

    /** Waits until none of the processes is left, for less time than a command takes that is not ended. */
    static void awaitEnd(ProcessHandle... processes) {
        for (ProcessHandle process : processes) {
            await().atMost(60, TimeUnit.SECONDS)
                    .pollInterval(5, TimeUnit.MILLISECONDS)
                    .until(() -> !runs(process));
        }
    }

    /** A process that has ended is still there until its parent asks for its exit code. */
    static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return process.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return process.isAlive();
        }
    }
}
