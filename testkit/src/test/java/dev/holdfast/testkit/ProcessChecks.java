package dev.holdfast.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Looks at processes by their number, from outside whatever started them. */
final class ProcessChecks {
    /** Longer than anything here takes on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Long enough that an answer which is to come would be there. */
    static final Duration MOMENT = Duration.ofMillis(200);

    private ProcessChecks() {}

    /** {@return whether the process still does anything: one that only waits for its parent to notice its end does not} */
    static boolean isRunning(long pid) {
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
