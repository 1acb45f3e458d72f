package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One operating system process that does not outlive this JVM, however the JVM ends.
 *
 * <p>A shutdown hook does not run under {@code kill -9}, and a child is not notified of its parent's death. So the
 * process is started by a shell that first forks a watcher and then becomes the server, with the same process id. The
 * watcher reads from a pipe whose other end only this JVM has: the read ends when the JVM closes the pipe or has died,
 * and then the watcher kills the server, which works on a stopped one too. The JDK closes the pipe itself once the
 * server has ended, so the watcher ends as well. Without {@code /bin/sh} the server is a plain child, ended by its
 * owner's shutdown hook at best.
 */
final class ServerProcess {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The watcher ignores the signals of a closing terminal, so that it still runs when it is needed. */
    private static final String WATCHED = """
            exec 3<&0
            (trap '' HUP INT TERM; while read -r line; do :; done; kill -9 $$) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private final Process process;
    private volatile boolean paused;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts {@code command} in {@code directory}; its output is appended to {@code log}. */
    static ServerProcess start(List<String> command, Path directory, Path log) {
        List<String> line = new ArrayList<>();
        if (Freezer.hasShell()) {
            line.addAll(List.of(SHELL.toString(), "-c", WATCHED, "watched-server"));
        }
        line.addAll(command);
        try {
            return new ServerProcess(new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** {@return whether the process is alive and paused by this JVM} */
    boolean isPaused() {
        return paused && isAlive();
    }

    /** Waits up to {@code limit} for the process to end, and returns whether it has. */
    boolean awaitExit(Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for process " + pid(), e);
        }
    }

    /** Freezes the process; when this returns it no longer runs, so requests sent from now on get no reply. */
    void pause() {
        Freezer.freeze(process);
        paused = true;
    }

    /** Resumes a paused process; no effect on a running one. */
    void resume() {
        Freezer.thaw(process);
        paused = false;
    }

    /** Ends the process at once, stopped or not. When this returns it is gone and its ports are free. */
    void kill() {
        process.destroyForcibly();
        awaitGone();
    }

    /**
     * Sends SIGTERM, and kills the process if it does not end. When this returns it is gone. {@link Process#destroy()}
     * would close the pipe as well, so the watcher would kill a process that is to shut down in order.
     */
    void terminate() {
        try {
            if (!Freezer.hasShell()) {
                process.destroy();
            } else if (process.isAlive()) {
                resume();
                Freezer.signal(process, "TERM");
            }
            awaitGone();
        } catch (IllegalStateException goneOrStubborn) {
            kill();
        }
    }

    private void awaitGone() {
        if (!endsInTime(process)) {
            throw new IllegalStateException("process " + pid() + " did not end within " + TIMEOUT);
        }
    }

    /**
     * {@return whether the process ends in time} Not interruptible: a test that is being torn down must still end what it started. Nor
     * does it use {@link Process#onExit()}, which completes on the common pool: a test may block that pool's only thread.
     */
    static boolean endsInTime(Process process) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(TIMEOUT.toNanos() - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
