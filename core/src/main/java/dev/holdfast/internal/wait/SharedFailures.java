package dev.holdfast.internal.wait;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What ends many waits of a {@link WaitQueue} at once: a failure that each of its waiters would meet. */
public final class SharedFailures {
    private final WaitQueue queue;

    /** Guarded by the queue. */
    private final WaiterLine line;

    SharedFailures(WaitQueue queue, WaiterLine line) {
        this.queue = queue;
        this.line = line;
    }

    /**
     * The attempt of this acquisition was refused; the attempts of all other waiters for the same kind of lock would be,
     * too.
     */
    public void failed(LockWaiter tried, RuntimeException why) {
        endTogether(
                tried,
                entry -> entry.lane().lock().kind() == tried.lane().lock().kind(),
                entry -> entry.failAlone(
                        entry == tried
                                ? why
                                : queue.session().exceptions().likewise(queue.lock(), entry.ownerId(), why)));
    }

    /**
     * The attempt of this acquisition had no reply within the command timeout. That is one outage, and is reported at
     * once to all waiters without a deadline, or with one that has passed; the others keep attempting until theirs.
     */
    public void silent(LockWaiter tried, @Nullable Throwable cause) {
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
            failed = line.take(fails);
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
