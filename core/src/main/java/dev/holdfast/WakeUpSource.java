package dev.holdfast;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link WaitQueue} hears that its lock may be free: by the lock's channel, or by the end of the holder's lease. It
 * listens for one wake-up at a time. Its methods are called under the queue's monitor, and send nothing.
 */
final class WakeUpSource {
    /** How long it listens at most when messages are known not to arrive, or one is expected at once. */
    private static final long DOUBTFUL_NANOS = Duration.ofMillis(100).toNanos();

    private final Deadlines deadlines;
    private final long longestListenNanos;
    private final Deadline leaseEnd;

    private @Nullable Subscription subscription;
    private @Nullable Waiter waiter;

    /** Whether the subscription was found confirmed once; if it is not any more, its connection is lost. */
    private boolean wasConfirmed;

    /**
     * @param longestListenNanos when to wake at the latest; the key of a holder may have no expiry at all
     * @param onLeaseEnd called, under no monitor, when the lease that was listened for has ended
     */
    WakeUpSource(Deadlines deadlines, long longestListenNanos, Runnable onLeaseEnd) {
        this.deadlines = deadlines;
        this.longestListenNanos = longestListenNanos;
        this.leaseEnd = new Deadline() {
            @Override
            protected void expired() {
                onLeaseEnd.run();
            }
        };
    }

    void open(Subscription opened) {
        subscription = opened;
        wasConfirmed = false;
    }

    /** {@return the subscription; null before the ear was opened and after it was shut} */
    @Nullable
    Subscription subscription() {
        return subscription;
    }

    /**
     * Listens for the next wake-up.
     *
     * @return the waiter that will be woken; null if the ear is not open
     */
    @Nullable
    Waiter listen(long leftMillis) {
        Subscription open = subscription;
        if (open == null) {
            return null;
        }
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(leftMillis);
        wakeIn(Math.min(leftNanos, hasLostConfirmation(open) ? DOUBTFUL_NANOS : longestListenNanos));
        waiter = open.acquire();
        return waiter;
    }

    private boolean hasLostConfirmation(Subscription open) {
        boolean confirmed = open.isConfirmed();
        wasConfirmed |= confirmed;
        return wasConfirmed && !confirmed;
    }

    private void wakeIn(long nanos) {
        deadlines.schedule(leaseEnd, deadlines.nanoTime() + nanos);
    }

    /** This client is about to release the lock: the message comes soon, or never. */
    void expectMessage() {
        if (waiter != null) {
            wakeIn(DOUBTFUL_NANOS);
        }
    }

    boolean listensBy(@Nullable Waiter woken) {
        return waiter == woken;
    }

    /**
     * Listens no more for now.
     *
     * @return the waiter that must leave, if it was not the one that was woken
     */
    @Nullable
    Waiter rest(@Nullable Waiter woken) {
        Waiter unused = waiter == woken ? null : waiter;
        waiter = null;
        deadlines.cancel(leaseEnd);
        return unused;
    }

    /**
     * Listens no more for good.
     *
     * @return what is to be closed, outside the monitor
     */
    Leftover shut() {
        Leftover leftover = new Leftover(subscription, rest(null));
        subscription = null;
        return leftover;
    }

    /** What a shut ear leaves to be closed. */
    record Leftover(
            @Nullable Subscription subscription, @Nullable Waiter waiter) {
        void close() {
            if (subscription != null) {
                if (waiter != null) {
                    subscription.leave(waiter);
                }
                subscription.close();
            }
        }
    }
}
