package dev.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the command if this process cannot: because it is stopped, killed, or starved of processor time. It is a process
 * of its own, a shell that sleeps until shortly before the lease ends, ends the command as this process would have done,
 * and kills what is left. Each renewal replaces it by another, which is started before the former one is ended.
 *
 * <p>It exists before the command does, so that the command is never without one. As the command has no process id then,
 * this first guard finds the command by the owner in its environment. As soon as the command has an id, the first guard
 * is replaced by one that finds the command by the id, since a command can change or hide its environment.
 *
 * <p>It acts later than this process does, so that normally it finds nothing to do: when three quarters are left of the
 * time that is left to this process. It kills an eighth of the lease before the end, at most 2.25 s: 500 ms for a lease
 * of 4 s. This is for the time that the kill takes on a busy machine, and shorter leases have less of it. The time is
 * that of a clock which both processes read, so that a guard that is slow to start is not late for that.
 *
 * <p>The guard ignores the signals that end or suspend a job, which a terminal, {@code timeout} or systemd sends to all
 * processes of it. It is dismissed by a line on its standard input; the mere end of that means that this process was
 * killed.
 *
 * <p>Needs {@code /bin/sh}, and a {@code /proc} with the children of each process, as Linux has it. Not safe for use by several threads.
 */
final class Guard {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path CHILDREN = Path.of("/proc/thread-self/children");
    private static final String SCRIPT = "guard.sh";

    private final String script;
    private final String owner;
    private final EndTerms terms;
    private final Supplier<Duration> remaining;

    /** Empty until the command is started. */
    private String command = "";

    private @Nullable Process sleeping;

    private Guard(String script, String owner, EndTerms terms, Supplier<Duration> remaining) {
        this.script = script;
        this.owner = owner;
        this.terms = terms;
        this.remaining = remaining;
    }

    /**
     * Starts the guard of a command that is not started yet.
     *
     * @param owner what will be in the environment of the command
     * @param terms by which this process ends the command
     * @param remaining how long the lease lasts
     * @return empty where the platform has no means for it
     * @throws IOException if it cannot be started
     */
    static Optional<Guard> start(String owner, EndTerms terms, Supplier<Duration> remaining) throws IOException {
        if (!Files.isExecutable(SHELL) || !Files.exists(CHILDREN) || !BootClock.exists()) {
            return Optional.empty();
        }
        Guard guard = new Guard(script(), owner, terms.later(), remaining);
        guard.sleeping = guard.next();
        return Optional.of(guard);
    }

    private static String script() {
        try (InputStream resource = Objects.requireNonNull(Guard.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SCRIPT, e);
        }
    }

    /** The command is started, with this process id. */
    void assign(long pid) {
        command = Long.toString(pid);
        renew();
    }

    /** The lease was renewed. If no new guard can be started, the former one stays, and acts too soon. */
    void renew() {
        Process former = sleeping;
        try {
            sleeping = next();
        } catch (IOException e) {
            return;
        }
        if (former != null) {
            dismiss(former);
        }
    }

    private Process next() throws IOException {
        Duration now = BootClock.now(); // before what is left is asked for: a delay in between makes the guard early
        Duration left = remaining.get();
        return new ProcessBuilder(List.of(
                        SHELL.toString(),
                        "-c",
                        script,
                        "holdfast-guard",
                        command,
                        Variable.OWNER.word() + "=" + owner,
                        hundredths(now.plus(terms.untilEnd(left))),
                        hundredths(now.plus(terms.untilKill(left)))))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Ends the guard: there is nothing to end any more, or this process does it. */
    void dismiss() {
        if (sleeping != null) {
            dismiss(sleeping);
        }
    }

    private static void dismiss(Process guard) {
        try (OutputStream input = guard.getOutputStream()) {
            input.write('\n');
        } catch (IOException e) {
            // It has ended.
        }
    }

    private static String hundredths(Duration time) {
        return Long.toString(time.toMillis() / 10);
    }
}
