package dev.holdfast.internal.wait;

import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of a {@link WaitQueue} to the channel of its lock, at the home of the lock; or that of the waiters for
 * something else that is published, such as a latch.
 *
 * <pre>
 *           open                subscribed
 *   CLOSED ------> SUBSCRIBING ------------> OPEN
 *     ^                 |                     |
 *     +-----------------+---------------------+--- the lock has moved, or the server has refused an open subscription
 *
 *   of each: the queue is retired ---> SHUT
 * </pre>
 *
 * <p>After a move the queue subscribes again, if it has waiters; if not, the next waiter that joins subscribes. So it is
 * after a refusal by a server that executes no command at present, once it does, or after a command timeout. After any
 * other refusal the waiters fail.
 *
 * <p>Shares the monitor of its queue; nothing is subscribed or closed under it.
 *
 * @see "WakeUpTest, ManyContendedNamesTest, LatchFaultTest"
 */
public final class QueueSubscription {
    /** The queue that subscribes. */
    public interface Subscriber {
        /** {@return the home of the lock at present} */
        Home home();

        /** {@return whether it needs no subscription any more} Under the monitor. */
        boolean isRetired();

        /** Listens no longer, since the subscription is about to be closed. Under the monitor. */
        void silenced();

        /** {@return whether it has waiters, and the client is not being closed} */
        boolean hasWaiters();

        /** The lock may be free, since messages were missed. */
        void wake();

        /** No message of a release will arrive, for this reason. */
        void cannotListen(Throwable refusal);

        /** The channels of this home are closed. */
        void channelsClosed(@Nullable Home of);
    }

    private final Object monitor;
    private final Session session;
    private final String channel;
    private final Subscriber queue;

    // All below is guarded by the monitor.
    private final WakeUpSource wakeUps;

    /** Whether it has subscribed, or is about to. */
    private boolean opened;

    /** The home of the subscription, or of the last one. */
    private @Nullable Home home;

    /** How often it has begun to subscribe: the lock may move before a thread has done so. */
    private int openings;

    /** Whether the queue will be notified of the confirmation or the refusal. */
    private boolean awaitsConfirmation;

    /**
     * @param monitor that of the queue
     * @param wakeUps what receives the messages
     */
    public QueueSubscription(Object monitor, Session session, String channel, WakeUpSource wakeUps, Subscriber queue) {
        this.monitor = monitor;
        this.session = session;
        this.channel = channel;
        this.wakeUps = wakeUps;
        this.queue = queue;
    }

    // --- Under the monitor.

    /** {@return whether the queue has subscribed, or is about to} */
    boolean isOpened() {
        return opened;
    }

    /** {@return whether the queue has a subscription} */
    boolean isListening() {
        return wakeUps.subscription() != null;
    }

    public boolean isConfirmed() {
        Subscription open = wakeUps.subscription();
        return open != null && open.isConfirmed();
    }

    public @Nullable Home home() {
        return home;
    }

    /** {@return the subscription, if the caller is to {@linkplain #awaitConfirmation await} its next confirmation} */
    public @Nullable Subscription takeUnconfirmed() {
        Subscription unconfirmed = awaitsConfirmation ? null : wakeUps.unconfirmed();
        awaitsConfirmation |= unconfirmed != null;
        return unconfirmed;
    }

    /** {@return what is to be closed, outside the monitor} */
    private WakeUpSource.Leftover close() {
        opened = false;
        queue.silenced();
        return wakeUps.shut();
    }

    // --- Outside the monitor.

    /** Subscribes, unless the queue has already. */
    public void open() {
        Home subscribesAt;
        int opening;
        synchronized (monitor) {
            if (opened) {
                return;
            }
            opened = true;
            opening = ++openings;
            subscribesAt = queue.home();
        }
        Subscription subscription;
        try {
            subscription = subscribesAt.channels().subscribe(channel);
        } catch (SubscriptionsClosedException e) {
            queue.channelsClosed(subscribesAt);
            return;
        }
        boolean late;
        synchronized (monitor) {
            late = queue.isRetired() || !opened || openings != opening;
            if (!late) {
                wakeUps.open(subscription);
                home = subscribesAt;
                awaitsConfirmation = true;
            }
        }
        if (late) {
            subscription.close();
        } else {
            awaitConfirmation(subscription);
        }
    }

    /** The server may refuse the subscription, which each connection repeats. */
    public void awaitConfirmation(Subscription subscription) {
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            WakeUpSource.Leftover refused;
            synchronized (monitor) {
                if (wakeUps.subscription() != subscription) {
                    return;
                }
                awaitsConfirmation = false;
                if (refusal == null) {
                    wakeUps.confirmed();
                    return;
                }
                refused = close();
            }
            refused.close();
            if (isNotExecuted(refusal)) {
                openLater();
            } else {
                queue.cannotListen(refusal);
            }
        });
    }

    private static boolean isNotExecuted(Throwable refusal) {
        Throwable reply = refusal.getCause();
        String error = reply == null ? null : reply.getMessage();
        return error != null && NotExecutedException.of(error) != null;
    }

    /** Redis does not execute SUBSCRIBE at present: no waiter fails because of that. */
    private void openLater() {
        queue.home()
                .connectionWait()
                .standstill()
                .await(this::openAgain, session.now() + session.commandTimeoutNanos(), this::openAgain);
    }

    /** The attempt makes up for messages that were missed between the two subscriptions. */
    private void openAgain() {
        if (queue.hasWaiters()) {
            open();
            queue.wake();
        }
    }

    /**
     * The lock has moved: the channel is that of another node from now on. The subscription's confirmation wakes the
     * head, so a release in between is noticed; the attempt here is for a node that confirms it late.
     */
    public void moved() {
        WakeUpSource.Leftover former;
        synchronized (monitor) {
            if (!opened) {
                return;
            }
            former = close();
        }
        former.close();
        openAgain();
    }
}
