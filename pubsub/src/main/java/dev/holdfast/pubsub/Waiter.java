package dev.holdfast.pubsub;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place in the queue of one subscription: a future of the {@link Wakeup}, which occupies no thread.
 *
 * <p>It usually completes on the driver's I/O thread, which received the message, but also on the thread of another
 * waiter that {@linkplain Subscription#leave left} and passed its wake-up on. The actions attached to it run there and
 * must not block. It completes with null when it {@linkplain Subscription#leave left} in time: most waiters leave, and to create an
 * exception would cost more than the rest of that. It fails with {@link SubscriptionsClosedException} when the connection was closed
 * for good.
 */
public final class Waiter extends CompletableFuture<@Nullable Wakeup> {
    private static final Logger log = LoggerFactory.getLogger(Waiter.class);

    /** Whether it has passed its wake-up on. Guarded by the semaphore. */
    boolean handedBack;

    Waiter() {}

    /** {@return whether it has a wake-up} One that left in time has none, nor has one that failed. */
    boolean isWoken() {
        return isDone() && !isCompletedExceptionally() && join() != null;
    }

    /**
     * Runs {@code action} with the wake-up, or with the failure, on the thread that wakes the waiter; never for a
     * waiter that left in time. An exception of the action is logged, whereas a stage attached in the usual ways would
     * swallow it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // an exception of the action is logged, so the stage never fails
    public void onWakeup(BiConsumer<@Nullable Wakeup, @Nullable Throwable> action) {
        whenComplete((wakeup, failure) -> {
            if (wakeup == null && failure == null) {
                return;
            }
            try {
                action.accept(wakeup, failure);
            } catch (Throwable e) {
                log.error("a waiter failed on being woken", e);
            }
        });
    }
}
