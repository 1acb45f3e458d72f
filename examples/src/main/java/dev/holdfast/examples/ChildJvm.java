package dev.holdfast.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process on this JVM's own class path that is controlled by lines of text, and replies by lines. */
public final class ChildJvm implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** JVM options of a small program, so that many of them start fast on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Process process;

    /** The lines that the process has printed; an empty optional after the last one. */
    private final BlockingQueue<Optional<String>> printed = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "lines-of-process-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process. */
    public static ChildJvm start(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try {
            return new ChildJvm(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a process", e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                printed.add(Optional.of(line));
            }
        } catch (IOException killed) {
            // A kill closes the pipe.
        }
        printed.add(Optional.empty());
    }

    /** {@return the id of the process} */
    public long pid() {
        return process.pid();
    }

    /**
     * {@return the words of the next line that the process prints, for which this waits}
     *
     * @throws IllegalStateException if the process ends or nothing is printed for a minute
     */
    public String[] receive() throws InterruptedException {
        Optional<String> line = printed.poll(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        if (line == null) {
            throw new IllegalStateException("a process must print a line within " + TIMEOUT + ", but did not");
        }
        if (line.isEmpty()) {
            throw new IllegalStateException("a process ended too early, with status " + process.waitFor());
        }
        return line.get().split(" ", -1);
    }

    /** Sends the process a line. */
    public void send(String line) {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a process ended too early", e);
        }
    }

    /** Ends the process with SIGKILL, stopped or not: none of its code runs any more, and none of its locks is released. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
