package dev.holdfast.internal.wait;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What ends many waits of a {@link WaitQueue} at once: a failure that each of its waiters would meet. */
final class SharedFailures {
    private final WaitQueue queue;

    /** Guarded by the queue. */
    private final QueuedWaiters waiters;

    SharedFailures(WaitQueue queue, QueuedWaiters waiters) {
        this.queue = queue;
        this.waiters = waiters;
    }

    void failed(LockWaiter tried, RuntimeException why) {
        endTogether(
                tried,
                entry -> entry.lane().lock().kind() == tried.lane().lock().kind(),
                entry -> entry.failAlone(
                        entry == tried
                                ? why
                                : queue.session().exceptions().likewise(queue.lock(), entry.ownerId(), why)));
    }

    void silent(LockWaiter tried, @Nullable Throwable cause) {
        long now = queue.session().now();
        endTogether(
                tried,
                entry -> entry.waitsForEver() || entry.deadlineNanos() - now <= 0,
                entry -> entry.failUnanswered(queue.session()
                        .exceptions()
                        .noAnswer(queue.lock(), entry.ownerId(), now - entry.startNanos(), cause)));
    }

    /** These waiters fail, and others attempt; does nothing if it was not the attempt of the head. */
    private void endTogether(LockWaiter tried, Predicate<LockWaiter> fails, Consumer<LockWaiter> failure) {
        List<LockWaiter> failed;
        synchronized (queue) {
            if (!queue.head().isTrying(tried)) {
                return;
            }
            failed = waiters.take(fails);
        }
        failed.forEach(failure);
        queue.replaceAttempt(tried);
    }

    /** The server refused the subscription, so no message of a release will arrive: all waiters fail. */
    void cannotListen(Throwable refusal) {
        queue.takeAll()
                .forEach(entry -> entry.failAlone(
                        queue.session().exceptions().subscriptionRefused(queue.lock(), entry.ownerId(), refusal)));
    }
}
