package dev.holdfast.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Queries processes by their process ids, independently of what started them. */
public final class ProcessChecks {
    /** Longer than any step of these tests takes on a busy machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Long enough for a reply to arrive, if there is one. */
    static final Duration PAUSE = Duration.ofMillis(200);

    private ProcessChecks() {}

    /** {@return whether the process is alive: a zombie, which waits for its parent to reap it, is not} */
    public static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie(pid);
    }

    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
        } catch (IOException gone) {
            return false;
        }
    }
}
