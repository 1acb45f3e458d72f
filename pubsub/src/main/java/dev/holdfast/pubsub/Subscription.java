package dev.holdfast.pubsub;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One user's interest in a channel, held until {@link #close}. Several subscriptions to one channel share it and its one
 * line of waiters. A message wakes one waiter of a single subscription, and everyone in line if there are several: they may be
 * after different things.
 *
 * <p>To miss nothing, in this order: wait for {@link #confirmed}, {@link #drain}, look, and only then {@link #acquire}. A
 * message that comes between the look and the wait is kept and completes the waiter at once.
 *
 * <p>Safe for use by several threads. Nothing here blocks.
 */
public final class Subscription implements AutoCloseable {
    private final Subscriptions subscriptions;
    private final Channel channel;
    private final AtomicBoolean closed = new AtomicBoolean();

    Subscription(Subscriptions subscriptions, Channel channel) {
        this.subscriptions = subscriptions;
        this.channel = channel;
    }

    /** {@return the channel's name} */
    public String channel() {
        return channel.name();
    }

    /**
     * {@return a stage that is done once the server has confirmed the subscription on the connection there is now}
     *
     * <p>Without a connection it is done after the reconnect, however long that takes. It fails with {@link
     * SubscriptionRefusedException} when the server refuses, and with {@link SubscriptionsClosedException}. It completes on
     * the I/O thread.
     */
    public CompletionStage<Void> confirmed() {
        return channel.confirmed();
    }

    /** {@return whether the server has confirmed the subscription on the connection there is now} */
    public boolean isConfirmed() {
        return channel.isConfirmed();
    }

    /**
     * {@return a waiter at the end of the channel's line, or already woken if a message was kept}
     *
     * <p>Who no longer means to act on it, woken or not, must {@link #leave}; who has acted on it owes nothing more.
     *
     * @throws IllegalStateException if this subscription is closed
     */
    public Waiter acquire() {
        if (closed.get()) {
            throw new IllegalStateException("the subscription to channel " + channel() + " is closed");
        }
        Waiter waiter = channel.semaphore().acquire();
        if (!waiter.isDone()) {
            subscriptions.watch();
        }
        return waiter;
    }

    /**
     * Takes {@code waiter} out of the line. If it had been woken before, its wake-up is passed on to the next; a waiter
     * that leaves never makes another one sleep.
     */
    public void leave(Waiter waiter) {
        channel.semaphore().leave(waiter);
    }

    /** {@return how many messages had been kept; they are discarded} For use before a look that sees all they could tell. */
    public int drain() {
        return channel.semaphore().drain();
    }

    /** Gives up the interest. The last one to do so lets the channel go, after the linger. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            subscriptions.release(channel);
        }
    }
}
