package dev.holdfast.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends the command if this process cannot: because it is stopped, killed, or starved of processor time. It is a process
 * of its own, a shell that sleeps until shortly before the lease ends, ends the command as this process would have done,
 * and kills what is left. Each renewal replaces it by another, which is started before the former one is ended.
 *
 * <p>It acts later than this process does, so that normally it finds nothing to do. It ignores the signals of a
 * terminal, that which suspends a job as well.
 *
 * <p>Needs {@code /bin/sh} and {@code /proc}. Not safe for use by several threads.
 */
final class Guard {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path PROCESSES = Path.of("/proc/self/stat");
    private static final String SCRIPT = "guard.sh";

    private final EndTerms terms;
    private final String script;
    private final String command;

    /** Null before the first renewal, and where there can be no guard. */
    private @Nullable Process sleeping;

    private Guard(EndTerms terms, String script, String command) {
        this.terms = terms;
        this.script = script;
        this.command = command;
    }

    /** {@return a guard of this process; empty where the platform has no means for it} */
    static Optional<Guard> of(long pid, EndTerms terms) {
        return Files.isExecutable(SHELL) && Files.exists(PROCESSES)
                ? Optional.of(new Guard(terms, script(), Long.toString(pid)))
                : Optional.empty();
    }

    private static String script() {
        try (InputStream resource = Objects.requireNonNull(Guard.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SCRIPT, e);
        }
    }

    /** The lease lasts this long from now. If no new guard can be started, the former one stays, and acts too soon. */
    void renew(Duration remaining) {
        Process former = sleeping;
        Duration end = terms.untilEnd(remaining).plus(terms.notice().dividedBy(2));
        Duration kill = terms.untilKill(remaining).plus(terms.margin().dividedBy(2));
        Process next;
        try {
            next = start(end, kill.compareTo(end) > 0 ? kill.minus(end) : Duration.ZERO);
        } catch (IOException e) {
            return;
        }
        sleeping = next;
        if (former != null) {
            former.destroy();
        }
    }

    private Process start(Duration untilEnd, Duration thenUntilKill) throws IOException {
        return new ProcessBuilder(List.of(
                        SHELL.toString(),
                        "-c",
                        script,
                        "holdfast-guard",
                        command,
                        seconds(untilEnd),
                        seconds(thenUntilKill)))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Ends the guard: there is nothing to end any more, or this process does it. */
    void dismiss() {
        if (sleeping != null) {
            sleeping.destroy();
        }
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%d.%03d", duration.toSeconds(), duration.toMillisPart());
    }
}
