package dev.holdfast.pubsub;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place in the line of one channel: a future of the {@link Wakeup}, and no thread.
 *
 * <p>It completes on the thread that heard the message, which is the driver's I/O thread; what is attached to it runs
 * there and must not block. It is {@linkplain #isCancelled() cancelled} when it {@linkplain Subscription#leave left} in
 * time, and fails with {@link SubscriptionsClosedException} when the connection was closed for good.
 */
public final class Waiter extends CompletableFuture<Wakeup> {
    private static final Logger log = LoggerFactory.getLogger(Waiter.class);

    // All guarded by the semaphore whose line this is.
    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    boolean linked;
    boolean handedBack;

    Waiter() {}

    /**
     * Runs {@code action} with the wake-up, or with the failure, on the thread that wakes; never for a waiter that left in
     * time. What the action throws is logged, where a stage attached in the usual ways would keep it to itself.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // what the action throws is logged, so the stage has nothing to tell
    public void onWakeup(BiConsumer<@Nullable Wakeup, @Nullable Throwable> action) {
        whenComplete((wakeup, failure) -> {
            if (isCancelled()) {
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
