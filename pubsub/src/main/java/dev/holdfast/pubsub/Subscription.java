package dev.holdfast.pubsub;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of one user to a channel, until {@link #close}. Several subscriptions to one channel share that, and each has
 * its own waiters, since they may wait for different things: a message wakes one waiter of each subscription.
 *
 * <p>To miss no message, proceed in this order: wait for {@link #confirmed}, {@link #drain}, make the attempt, and only
 * then {@link #acquire}. A message that arrives between the attempt and the wait is stored and completes the waiter at
 * once.
 *
 * <p>Safe for use by several threads. Nothing here blocks.
 */
public final class Subscription implements AutoCloseable {
    private static final AtomicIntegerFieldUpdater<Subscription> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(Subscription.class, "closed");

    private final Subscriptions subscriptions;
    final Channel channel;

    final AsyncSemaphore semaphore = new AsyncSemaphore();

    /** Receives the messages of the channel; null if nobody does. */
    final @Nullable ChannelListener listener;

    /** 1 once it is closed, else 0. */
    private volatile int closed;

    Subscription(Subscriptions subscriptions, Channel channel, @Nullable ChannelListener listener) {
        this.subscriptions = subscriptions;
        this.channel = channel;
        this.listener = listener;
    }

    /** {@return the channel's name} */
    public String channel() {
        return channel.name();
    }

    /**
     * {@return a stage that completes once the server has confirmed the subscription on the present connection}
     *
     * <p>Without a connection it completes after the reconnect, however long that takes. It fails with
     * {@link SubscriptionRefusedException} when the server refuses, and with {@link SubscriptionsClosedException} when
     * the connection was closed for good. It completes on the I/O thread, or on
     * the thread that closes the connection.
     */
    public CompletionStage<Void> confirmed() {
        return channel.confirmed();
    }

    /** {@return whether the server has confirmed the subscription on the present connection} */
    public boolean isConfirmed() {
        return channel.isConfirmed();
    }

    /**
     * {@return a waiter at the end of the line, or one that is already woken if a message was stored}
     *
     * <p>A caller that will not act on the waiter, woken or not, must {@link #leave}; a caller that has acted on it
     * need not.
     *
     * @throws IllegalStateException if this subscription is closed
     */
    public Waiter acquire() {
        if (closed == 1) {
            throw new IllegalStateException("the subscription to channel " + channel() + " is closed");
        }
        Waiter waiter = semaphore.acquire();
        if (!waiter.isDone()) {
            subscriptions.watch();
        }
        return waiter;
    }

    /**
     * Removes {@code waiter} from the line. If it had been woken before, its wake-up is passed to the next waiter, so
     * that a waiter that leaves never costs another one its wake-up.
     */
    public void leave(Waiter waiter) {
        semaphore.leave(waiter);
    }

    /**
     * {@return how many messages were stored} They are discarded. For use before an attempt, which sees everything that
     * they could announce.
     */
    public int drain() {
        return semaphore.drain();
    }

    /** Ends this subscription. When the last one ends, the channel is unsubscribed after the linger. Idempotent. */
    @Override
    public void close() {
        if (CLOSED.compareAndSet(this, 0, 1)) {
            subscriptions.release(this);
            wakeLeftBehind();
        }
    }

    /** Ends this subscription. When the last one ends, the channel is unsubscribed at once. Idempotent. */
    public void closeAtOnce() {
        if (CLOSED.compareAndSet(this, 0, 1)) {
            subscriptions.releaseAtOnce(this);
            wakeLeftBehind();
        }
    }

    /** There should be no waiter; if there is one, or one is just being made, an attempt in vain beats waiting for ever. */
    private void wakeLeftBehind() {
        semaphore.wakeAll();
    }
}
