package dev.holdfast.examples.service.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Ends a process if this JVM ends before it, even by {@code kill -9}: a shell waits for the end of its input, which only
 * this JVM holds open, and then sends the signal.
 */
final class Tether implements AutoCloseable {
    /** It ignores the signals of a closing terminal, so that it still runs when it is needed. */
    private static final String WATCH = "trap '' HUP INT TERM; while read -r line; do :; done; kill -$1 $2 2>/dev/null";

    private final Process shell;

    private Tether(Process shell) {
        this.shell = shell;
    }

    /** Watches over the process of this id; the signal is a name such as {@code KILL}. */
    static Tether of(long pid, String signal) {
        List<String> command = List.of("/bin/sh", "-c", WATCH, "tether", signal, Long.toString(pid));
        try {
            return new Tether(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot watch over process " + pid, e);
        }
    }

    /** Leaves the process to itself. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
