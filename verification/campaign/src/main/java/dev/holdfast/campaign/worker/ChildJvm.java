package dev.holdfast.campaign.worker;

import dev.holdfast.testkit.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process that receives lines on its standard input, and replies by lines on its standard output. */
public final class ChildJvm implements AutoCloseable {
    /** Several of them start on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration EXPLAINED_WITHIN = Duration.ofSeconds(1);

    private final Process process;
    private final Writer orders;
    private final Thread reader;
    private final Consumer<String> lines;
    private final Runnable ended;

    private ChildJvm(Process process, Consumer<String> lines, Runnable ended) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.lines = lines;
        this.ended = ended;
        this.reader = new Thread(this::read, "answers-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * {@return a running process}
     *
     * @param lines receives each line that the process writes, on a thread of its own
     * @param ended run by that thread after the last line
     */
    static ChildJvm of(Process process, Consumer<String> lines, Runnable ended) {
        return new ChildJvm(process, lines, ended);
    }

    /**
     * Starts a JVM.
     *
     * @param program the class with its main method
     * @param log for the output of the process other than its replies
     * @param lines receives each line that the process writes, on a thread of its own
     * @param ended run by that thread after the last line
     */
    public static ChildJvm start(
            String classPath,
            Class<?> program,
            List<String> arguments,
            Path log,
            Consumer<String> lines,
            Runnable ended) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", classPath, program.getName()));
        command.addAll(arguments);
        try {
            return of(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start(),
                    lines,
                    ended);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a worker", e);
        }
    }

    private void read() {
        try (BufferedReader replies = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = replies.readLine(); line != null; line = replies.readLine()) {
                lines.accept(line);
            }
        } catch (IOException killed) {
            // The pipe is closed when the process is killed.
        }
        ended.run();
    }

    /** Sends a line; no effect if the process has ended. */
    public void send(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException gone) {
            // The end of the process is reported by its reader.
        }
    }

    /** Lets the process write the stacks of its threads to its log, which has no reply, and waits for as long as that may take. */
    public void explain() throws InterruptedException {
        send(Orders.EXPLAIN);
        TimeUnit.NANOSECONDS.sleep(EXPLAINED_WITHIN.toNanos());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Stops the process; when this returns, it no longer runs. No effect on one that has ended. */
    public void freeze() {
        if (process.isAlive()) {
            Freezer.freeze(process);
        }
    }

    /** Resumes the process. */
    public void thaw() {
        if (process.isAlive()) {
            Freezer.thaw(process);
        }
    }

    /** Kills the process, and waits until all its replies have been read. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
