package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stops a process of this JVM's own with SIGSTOP, and lets it go on with SIGCONT: what a suspended machine or a very long
 * garbage collection does to it. Its connections stay, the kernel takes what is sent to it, and it knows of nothing.
 */
public final class Freezer {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Freezer() {}

    static boolean hasShell() {
        return Files.isExecutable(SHELL);
    }

    /**
     * Freezes the process; on return it no longer runs.
     *
     * @throws IllegalStateException if it has ended
     * @throws UnsupportedOperationException if the platform has no such signal
     */
    public static void freeze(Process process) {
        signal(process, "STOP");
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(stat) && !isStopped(stat)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("process " + process.pid() + " did not stop within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
    }

    /** The state is the letter after the process name, which stands in brackets and may contain any of them. */
    private static boolean isStopped(Path stat) {
        try {
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return text.charAt(text.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the state of a process that was just frozen", e);
        }
    }

    /**
     * Lets the process go on where it was; one that runs anyway does not notice.
     *
     * @throws IllegalStateException if it has ended
     * @throws UnsupportedOperationException if the platform has no such signal
     */
    public static void thaw(Process process) {
        signal(process, "CONT");
    }

    static void signal(Process process, String name) {
        if (!hasShell()) {
            throw new UnsupportedOperationException("SIG" + name + " needs " + SHELL + ", which is not there");
        }
        if (!process.isAlive()) {
            throw new IllegalStateException("process " + process.pid() + " has ended, SIG" + name + " cannot reach it");
        }
        try {
            Process kill = new ProcessBuilder(SHELL.toString(), "-c", "kill -" + name + " " + process.pid()).start();
            int status = kill.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " answered " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send SIG" + name + " to " + process.pid(), e);
        }
    }
}
