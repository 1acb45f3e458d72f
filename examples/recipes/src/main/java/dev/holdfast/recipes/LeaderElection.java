package dev.holdfast.recipes;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import java.time.Duration;
import java.util.function.Consumer;

final class LeaderElection {
    private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private LeaderElection() {}

    /**
     * Does one step of the work after the other whenever this instance leads, until the thread is interrupted. It steps down
     * when the lease no longer lasts for another step: when it is lost, and before that when it is not renewed.
     */
    static void run(DistributedLock lock, Duration longestStep, Consumer<Lease> step) throws InterruptedException {
        while (!Thread.interrupted()) {
            try (Lease term = lock.acquireInterruptibly()) {
                while (term.remaining().compareTo(longestStep) > 0
                        && !Thread.currentThread().isInterrupted()) {
                    step.accept(term);
                }
            } catch (LeaseLostException | LockException e) {
                LOG.log(System.Logger.Level.WARNING, "This instance does not lead, and tries again", e);
                Thread.sleep(PAUSE.toMillis());
            }
        }
        throw new InterruptedException();
    }
}
