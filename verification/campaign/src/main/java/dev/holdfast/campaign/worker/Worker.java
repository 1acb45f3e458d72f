package dev.holdfast.campaign.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process of a client, as controlled by its parent. Used by one thread at a time. */
public final class Worker implements AutoCloseable {
    /** Read after its last reply. */
    private static final Answer.Failed ENDED = new Answer.Failed("the process has ended");

    private final ChildJvm process;
    private final BlockingQueue<Answer> answers;

    private Worker(ChildJvm process, BlockingQueue<Answer> answers) {
        this.process = process;
        this.answers = answers;
    }

    /** {@return the worker of a running process that uses the same protocol} */
    public static Worker of(Process process) {
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        return new Worker(
                ChildJvm.of(process, line -> answers.add(Answer.LINES.read(line)), () -> answers.add(ENDED)), answers);
    }

    /**
     * Starts a process.
     *
     * @param classPath the classes of the libraries and of the campaign
     * @param resourceUri the server with the resource that the locks protect
     * @param log for the output of the process other than its replies
     */
    public static Worker start(String classPath, String resourceUri, Path log) {
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        return new Worker(
                ChildJvm.start(
                        classPath,
                        WorkerProcess.class,
                        List.of(resourceUri),
                        log,
                        line -> answers.add(Answer.LINES.read(line)),
                        () -> answers.add(ENDED)),
                answers);
    }

    /** Sends an order, and does not wait. */
    public void send(Order order) {
        process.send(Order.LINES.write(order));
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

    /** Lets the process write the stacks of its threads to its log. */
    public void explain() throws InterruptedException {
        process.explain();
    }

    /** Stops the process; when this returns, it no longer runs. No effect on one that has ended. */
    public void freeze() {
        process.freeze();
    }

    /** Resumes the process. */
    public void thaw() {
        process.thaw();
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
        process.close();
    }

    /** A reply was not received in time. */
    public static final class StuckException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StuckException(String message) {
            super(message);
        }
    }
}
