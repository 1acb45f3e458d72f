package dev.holdfast.examples.stale;

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

/** A process that changes the balance, as controlled by its parent. */
final class Teller implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final List<String> SMALL_JVM = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Process process;

    /** The lines that the process has printed; an empty optional after the last one. */
    private final BlockingQueue<Optional<String>> printed = new LinkedBlockingQueue<>();

    private Teller(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "words-of-teller-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process on this JVM's own class path. */
    static Teller start(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TellerProcess.class.getName()));
        command.addAll(arguments);
        try {
            return new Teller(new ProcessBuilder(command)
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

    /**
     * {@return the words of the next line that the process prints, for which this waits}
     *
     * @throws IllegalStateException if the process ends or nothing is printed for a minute
     */
    String[] receive() throws InterruptedException {
        Optional<String> line = printed.poll(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        if (line == null) {
            throw new IllegalStateException("a process must print a line within " + TIMEOUT + ", but did not");
        }
        if (line.isEmpty()) {
            throw new IllegalStateException("a process ended too early, with status " + process.waitFor());
        }
        return line.get().split(" ", -1);
    }

    /** Signals the process to take its next step; a stopped process takes it when it is resumed. */
    void next() {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write("next\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a process ended too early", e);
        }
    }

    /** Stops the process wherever it is; it is not notified. */
    void stop() throws InterruptedException {
        signal("STOP");
    }

    void resume() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws InterruptedException {
        try {
            int status = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill -" + signal + " must end with status 0, was " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("this system cannot stop a process", e);
        }
    }

    /** Ends the process, stopped or not. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
