package dev.holdfast.internal.wait;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What wakes a {@link WaitQueue} when its lock may be free: the lock's channel, or the end of the holder's lease. It
 * listens for one wake-up at a time. Its methods are called under the queue's monitor, and send nothing.
 */
public final class WakeUpSource {
    /** The longest time to listen when messages are known not to arrive, or one is expected at once. */
    private static final long DOUBTFUL_NANOS = Duration.ofMillis(100).toNanos();

    private final Deadlines deadlines;
    private final long longestListenNanos;
    private final Deadline leaseEnd;

    private @Nullable Subscription subscription;
    private @Nullable Waiter waiter;

    /** When it is woken at the latest, while there is a waiter. */
    private long wakeAtNanos;

    /** Whether the subscription has been seen confirmed; if it no longer is, its connection was lost. */
    private boolean wasConfirmed;

    /** Whether that was so when this last began to listen. */
    private boolean isUnconfirmed;

    /**
     * @param longestListenNanos the longest time to listen; the key of a holder may have no expiry at all
     * @param onLeaseEnd called, under no monitor, when the holder's lease has ended, or the longest time to listen is
     *     over
     */
    public WakeUpSource(Deadlines deadlines, long longestListenNanos, Runnable onLeaseEnd) {
        this.deadlines = deadlines;
        this.longestListenNanos = longestListenNanos;
        this.leaseEnd = Deadline.of(onLeaseEnd);
    }

    void open(Subscription opened) {
        subscription = opened;
        wasConfirmed = false;
        isUnconfirmed = false;
    }

    /** The subscription was confirmed: on a connection that may be lost by now. */
    void confirmed() {
        wasConfirmed = true;
    }

    /** {@return the subscription; null before {@link #open} and after {@link #shut}} */
    public @Nullable Subscription subscription() {
        return subscription;
    }

    /**
     * Listens for the next wake-up.
     *
     * @param leftMillis what is left of the holder's lease
     * @return the waiter that will be woken; null if there is no subscription
     */
    public @Nullable Waiter listen(long leftMillis) {
        Subscription open = subscription;
        if (open == null) {
            return null;
        }
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(leftMillis);
        boolean confirmed = open.isConfirmed();
        isUnconfirmed = wasConfirmed && !confirmed;
        wasConfirmed |= confirmed;
        wakeIn(Math.min(leftNanos, isUnconfirmed ? DOUBTFUL_NANOS : longestListenNanos));
        waiter = open.acquire();
        return waiter;
    }

    /** {@return the waiter that will be woken next, in place of one that was woken for nothing; null if there is no subscription} */
    @Nullable
    Waiter listenAgain() {
        Subscription open = subscription;
        if (open != null) {
            open.drain();
        }
        waiter = open == null ? null : open.acquire();
        return waiter;
    }

    /** {@return the subscription, if its confirmation was lost when {@link #listen} was last called} */
    @Nullable
    Subscription unconfirmed() {
        return isUnconfirmed ? subscription : null;
    }

    private void wakeIn(long nanos) {
        wakeAtNanos = deadlines.nanoTime() + nanos;
        deadlines.schedule(leaseEnd, wakeAtNanos);
    }

    /** It is woken by this time, if it listens. */
    void wakeBy(long nanoTime) {
        if (waiter != null && nanoTime - wakeAtNanos < 0) {
            wakeAtNanos = nanoTime;
            deadlines.schedule(leaseEnd, nanoTime);
        }
    }

    /** This client is about to release the lock: the message arrives soon, or never. */
    void expectMessage() {
        if (waiter != null) {
            wakeIn(DOUBTFUL_NANOS);
        }
    }

    public boolean listensBy(@Nullable Waiter woken) {
        return waiter == woken;
    }

    /**
     * Stops listening for now.
     *
     * @return the waiter that must leave the subscription, if it is not the one that was woken
     */
    public @Nullable Waiter rest(@Nullable Waiter woken) {
        Waiter unused = waiter == woken ? null : waiter;
        waiter = null;
        deadlines.cancel(leaseEnd);
        return unused;
    }

    /**
     * Stops listening for good.
     *
     * @return what is to be closed, outside the monitor
     */
    public Leftover shut() {
        Leftover leftover = new Leftover(subscription, rest(null));
        subscription = null;
        return leftover;
    }

    /** What is left to be closed after {@link #shut}. */
    public record Leftover(
            @Nullable Subscription subscription, @Nullable Waiter waiter) {
        public static final Leftover NONE = new Leftover(null, null);

        public void close() {
            if (subscription != null) {
                if (waiter != null) {
                    subscription.leave(waiter);
                }
                subscription.close();
            }
        }
    }
}
