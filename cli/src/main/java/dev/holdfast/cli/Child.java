package dev.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The process of the command, with its descendants. They are looked for before the command is signalled, since the
 * descendants of a process that has ended cannot be found any more; a shell that runs a program ends at once, and leaves
 * the program behind.
 *
 * <p>Not safe for use by several threads.
 */
final class Child {
    private final Process process;
    private final Set<ProcessHandle> tree = new LinkedHashSet<>();

    private Child(Process process) {
        this.process = process;
    }

    /**
     * Starts the command, with the standard streams of this process.
     *
     * @param changes makes the command's environment of that of this process
     */
    static Child start(List<String> command, Consumer<Map<String, String>> changes) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        changes.accept(builder.environment());
        return new Child(builder.command(Program.receivingSigquit(command, builder.environment()))
                .start());
    }

    long pid() {
        return process.pid();
    }

    /** Runs the action when the command's own process has ended, on another thread. */
    void onExit(Runnable action) {
        CompletableFuture<Void> unused = process.onExit().thenRun(action);
    }

    /** {@return the exit code of the command, or 128 and the number of the signal that ended it} */
    int exitCode() {
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Remembers the descendants that the command has, which cannot be found when it has ended. */
    void noteDescendants() {
        boolean unused = findDescendants();
    }

    /** {@return whether a descendant that was found has not ended} */
    boolean hasSurvivors() {
        return tree.stream().anyMatch(Child::runs);
    }

    /** A process that has ended is in the table until its parent asks for its exit code, which some never do. */
    private static boolean runs(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return process.isAlive(); // it ended after the first query, or there is no /proc
        }
    }

    /** Sends SIGTERM to the command, and to the descendants that it has. */
    void terminate() {
        noteDescendants();
        process.destroy();
        tree.forEach(ProcessHandle::destroy);
    }

    /**
     * Sends SIGKILL to the command and its descendants. To parents first, which would start another process when the one
     * they wait for ends, and again to those that were started before the parents ended.
     */
    void kill() {
        findDescendants();
        do {
            process.destroyForcibly();
            tree.forEach(ProcessHandle::destroyForcibly);
        } while (findDescendants());
    }

    /**
     * Sends a signal to the command alone: it decides what becomes of its descendants. Where there is no program that
     * sends another signal, it receives SIGTERM.
     */
    void signal(SignalName name) {
        if (name == SignalName.TERM || !sent(name)) {
            process.destroy();
        }
    }

    private boolean sent(SignalName name) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return whether there are some that were not known} */
    private boolean findDescendants() {
        List<ProcessHandle> found = Stream.concat(Stream.of(process.toHandle()), tree.stream())
                .flatMap(ProcessHandle::descendants)
                .toList();
        return tree.addAll(found);
    }
}
