package dev.holdfast.benchmarks.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A worker's process, seen from the one that started it. */
public final class Worker implements AutoCloseable {
    /** The same for every library. The heap is large enough that its size decides nothing. */
    private static final List<String> JVM = List.of(
            "-Xms512m",
            "-Xmx2g",
            "-XX:+UseParallelGC",
            "-XX:-UsePerfData",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED");

    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    private Worker(Process process) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a process with this class path. What it writes to its error stream goes to the log. */
    static Worker start(String classPath, Arena arena, Task task, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", classPath, WorkerProcess.class.getName()));
        try {
            Worker worker = new Worker(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
            worker.write(Envelope.seal(arena));
            worker.write(Envelope.seal(task));
            return worker;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a worker", e);
        }
    }

    /** Tells it to begin a phase, and does not wait. */
    public void tell(Phase phase) {
        write(phase.name());
    }

    /**
     * Waits until it has done what it was told last.
     *
     * @return what it has to say, mostly nothing
     * @throws IllegalStateException if it failed, or ended
     */
    public String await() {
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the worker's process ended, or was ended for taking too long");
            }
            if (!answer.startsWith(WorkerProcess.DONE)) {
                throw new IllegalStateException(answer);
            }
            return answer.substring(WorkerProcess.DONE.length());
        } catch (IOException e) {
            throw new IllegalStateException("the worker's process is gone", e);
        }
    }

    /** {@link #tell Tells} and {@link #await awaits}. */
    public void run(Phase phase) {
        tell(phase);
        await();
    }

    /** Waits until it has stopped, which it was told, and {@return what it counted} */
    public Tally tally() {
        return Envelope.open(Tally.class, await());
    }

    private void write(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new IllegalStateException("the worker's process is gone", e);
        }
    }

    /** Ends the process, whatever it does, and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
