package dev.holdfast.benchmarks.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A worker's process, as controlled by its parent. */
public final class Worker implements AutoCloseable {
    /** The same for every library. The heap is large enough not to affect the results. */
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

    /** Starts a process with this class path. Its error stream is appended to the log. */
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

    /** Sends the order to begin a phase, and does not wait for its end. */
    public void send(Phase phase) {
        write(phase.name());
    }

    /**
     * Waits until the worker has carried out the last order.
     *
     * @return the content of the reply, mostly empty
     * @throws IllegalStateException if the worker failed, or its process has ended
     */
    public String await() {
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the worker's process has ended, or was killed at the time limit");
            }
            if (!answer.startsWith(WorkerProcess.DONE)) {
                throw new IllegalStateException(answer);
            }
            return answer.substring(WorkerProcess.DONE.length());
        } catch (IOException e) {
            throw new IllegalStateException("the worker's process has ended", e);
        }
    }

    /** Sends the order to begin a phase, and waits for its end. */
    public void run(Phase phase) {
        send(phase);
        await();
    }

    /** {@return the tally of the worker, once it has stopped} It must have been ordered to stop. */
    public Tally tally() {
        return Envelope.open(Tally.class, await());
    }

    private void write(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new IllegalStateException("the worker's process has ended", e);
        }
    }

    /** Kills the process, and waits for its end. */
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
