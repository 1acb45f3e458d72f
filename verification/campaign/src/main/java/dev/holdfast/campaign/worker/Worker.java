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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process of a client, as controlled by its parent. Used by one thread at a time. */
public final class Worker implements AutoCloseable {
    /** Several of them start on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Read after its last reply. */
    private static final Answer.Failed ENDED = new Answer.Failed("the process has ended");

    private final Process process;
    private final Writer orders;
    private final Thread reader;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    private Worker(Process process) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = new Thread(this::read, "answers-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** {@return the worker of a running process that uses the same protocol} */
    public static Worker of(Process process) {
        return new Worker(process);
    }

    /**
     * Starts a process.
     *
     * @param classPath the classes of the libraries and of the campaign
     * @param resourceUri the server with the resource that the locks protect
     * @param log for the output of the process other than its replies
     */
    public static Worker start(String classPath, String resourceUri, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", classPath, WorkerProcess.class.getName(), resourceUri));
        try {
            return new Worker(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a worker", e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(Answer.LINES.read(line));
            }
        } catch (IOException killed) {
            // The pipe is closed when the process is killed.
        }
        answers.add(ENDED);
    }

    /** Sends an order, and does not wait. */
    public void send(Order order) {
        try {
            orders.write(Order.LINES.write(order) + "\n");
            orders.flush();
        } catch (IOException gone) {
            // await() will receive the end of the process.
        }
    }

    /**
     * Waits for a reply.
     *
     * @throws StuckException if there is none in time
     * @throws IllegalStateException if there is another one, such as a failure
     */
    public void await(Answer expected, Duration longest) throws InterruptedException {
        Answer answer = answers.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
        if (answer == null) {
            throw new StuckException("no " + Answer.LINES.write(expected) + " within " + longest);
        }
        if (!answer.equals(expected)) {
            throw new IllegalStateException(Answer.LINES.write(answer));
        }
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

    /**
     * Kills the process, and waits for its end.
     *
     * @return the failures that it had reported and that were not awaited, and its own end if it had ended before
     */
    public List<String> kill() {
        boolean endsNow = process.isAlive();
        close();
        List<Answer> last = new ArrayList<>();
        answers.drainTo(last);
        return last.stream()
                .filter(answer -> answer instanceof Answer.Failed && !(endsNow && answer.equals(ENDED)))
                .map(answer -> ((Answer.Failed) answer).reason())
                .toList();
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

    /** A reply was not received in time. */
    public static final class StuckException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StuckException(String message) {
            super(message);
        }
    }
}
