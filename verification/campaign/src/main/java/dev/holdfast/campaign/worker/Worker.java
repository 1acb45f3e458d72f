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

/** The process of a client, as its parent has it in hand. Told and awaited by one thread at a time. */
public final class Worker implements AutoCloseable {
    /** Many of them start on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** What is read behind its last answer. */
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

    /** Takes a process in hand that speaks as a worker does. */
    public static Worker of(Process process) {
        return new Worker(process);
    }

    /**
     * Starts a process on this JVM's own class path.
     *
     * @param resourceUri where the data is that the locks protect
     * @param log for what it says besides its answers
     */
    public static Worker start(String resourceUri, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), WorkerProcess.class.getName(), resourceUri));
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
            // Its pipe is closed with it.
        }
        answers.add(ENDED);
    }

    /** Gives an order, and does not wait. */
    public void tell(Order order) {
        try {
            orders.write(Order.LINES.write(order) + "\n");
            orders.flush();
        } catch (IOException gone) {
            // That the process has ended is what it answers.
        }
    }

    /**
     * Waits for an answer.
     *
     * @throws StuckException if it does not come in time
     * @throws IllegalStateException if another came, such as one that something failed
     */
    public void await(Answer expected, Duration longest) throws InterruptedException {
        Answer answer = answers.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
        if (answer == null) {
            throw new StuckException("not " + Answer.LINES.write(expected) + " after " + longest);
        }
        if (!answer.equals(expected)) {
            throw new IllegalStateException(Answer.LINES.write(answer));
        }
    }

    /** Stops it; on return it no longer runs. One that has ended is left as it is. */
    public void freeze() {
        if (process.isAlive()) {
            Freezer.freeze(process);
        }
    }

    /** Lets it go on. */
    public void thaw() {
        if (process.isAlive()) {
            Freezer.thaw(process);
        }
    }

    /**
     * Ends it with SIGKILL, and waits for its end.
     *
     * @return what it had failed at and nobody has awaited, and that it had ended by itself, if so
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

    /** Ends it with SIGKILL, and waits until all that it has said is there. */
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

    /** What was to come within a time has not come. */
    public static final class StuckException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StuckException(String message) {
            super(message);
        }
    }
}
