package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.worker.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process of a soak, as controlled by its parent. Used by one thread at a time. */
final class SoakWorker implements AutoCloseable {
    /** Read after its last reply. */
    private static final SoakAnswer ENDED = new SoakAnswer.Failed("the process has ended");

    private final BlockingQueue<SoakAnswer> answers;
    private final ChildJvm process;

    private SoakWorker(ChildJvm process, BlockingQueue<SoakAnswer> answers) {
        this.process = process;
        this.answers = answers;
    }

    /**
     * Starts a process.
     *
     * @param log for its output other than its replies
     * @param progress receives what its actors do
     */
    static SoakWorker start(String classPath, Path log, Progress progress) {
        BlockingQueue<SoakAnswer> answers = new LinkedBlockingQueue<>();
        return new SoakWorker(
                ChildJvm.start(
                        classPath,
                        SoakProcess.class,
                        List.of(),
                        log,
                        line -> receive(SoakAnswer.LINES.read(line), answers, progress),
                        () -> answers.add(ENDED)),
                answers);
    }

    private static void receive(SoakAnswer answer, BlockingQueue<SoakAnswer> answers, Progress progress) {
        if (answer instanceof SoakAnswer.Worked worked) {
            progress.add(worked);
        } else {
            answers.add(answer);
        }
    }

    void send(SoakOrder order) {
        process.send(SoakOrder.LINES.write(order));
    }

    /**
     * {@return the next reply, which must be of this type}
     *
     * @throws BrokenException if there is none in time, or another one, such as a failure
     */
    <T extends SoakAnswer> T await(Class<T> type, Duration longest) throws InterruptedException {
        SoakAnswer answer = answers.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
        if (answer == null) {
            process.explain();
            throw new BrokenException("no reply " + type.getSimpleName() + " within " + longest.toSeconds() + " s");
        }
        if (!type.isInstance(answer)) {
            throw new BrokenException(SoakAnswer.LINES.write(answer));
        }
        return type.cast(answer);
    }

    void freeze() {
        process.freeze();
    }

    void thaw() {
        process.thaw();
    }

    /**
     * Kills the process.
     *
     * @throws BrokenException if it had ended before, or has sent a reply that was not awaited, such as a failure
     */
    void kill() {
        boolean endsNow = process.isAlive();
        close();
        SoakAnswer unread = answers.element();
        if (!(endsNow && unread.equals(ENDED))) {
            throw new BrokenException(SoakAnswer.LINES.write(unread));
        }
    }

    /** Kills the process, and waits until all its replies have been read. */
    @Override
    public void close() {
        process.close();
    }
}
