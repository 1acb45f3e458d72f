package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stops a process that this JVM has started with SIGSTOP, and resumes it with SIGCONT: the effect of a suspended
 * machine or a very long garbage collection. Its connections stay open, the kernel accepts what is sent to it, and the
 * process does not notice.
 */
public final class Freezer {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Freezer() {}

    static boolean hasShell() {
        return Files.isExecutable(SHELL);
    }

    /**
     * Freezes the process; when this returns it no longer runs.
     *
     * @throws IllegalStateException if it has ended
     * @throws UnsupportedOperationException if the platform has no such signal
     */
    public static void freeze(Process process) {
        signal(process, "STOP");
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (Files.exists(stat) && !isStopped(stat)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("process " + process.pid() + " did not stop within " + TIMEOUT);
            }
            Thread.onSpinWait();
        }
    }

    /**
     * The state is the letter after the process name, which is in parentheses and may itself contain any of these
     * characters.
     */
    private static boolean isStopped(Path stat) {
        try {
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return text.charAt(text.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the state of a process that was just frozen", e);
        }
    }

    /**
     * Resumes the process; no effect on a running one.
     *
     * @throws IllegalStateException if it has ended
     * @throws UnsupportedOperationException if the platform has no such signal
     */
    public static void thaw(Process process) {
        signal(process, "CONT");
    }

    static void signal(Process process, String name) {
        if (!hasShell()) {
            throw new UnsupportedOperationException("SIG" + name + " needs " + SHELL + ", which does not exist");
        }
        if (!process.isAlive()) {
            throw new IllegalStateException("process " + process.pid() + " has ended, SIG" + name + " is not possible");
        }
        try {
            Process kill = new ProcessBuilder(SHELL.toString(), "-c", "kill -" + name + " " + process.pid()).start();
            if (!ServerProcess.endsInTime(kill) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " failed: " + kill);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send SIG" + name + " to " + process.pid(), e);
        }
    }
}
