package dev.holdfast.internal.wait;

import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of a {@link WaitQueue} to the channel of its lock, at the home of the lock.
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
 */
final class QueueSubscription {
    private final WaitQueue queue;
    private final QueueHead head;

    // All below is guarded by the queue.
    private final WakeUpSource wakeUps;

    /** Whether it has subscribed, or is about to. */
    private boolean opened;

    /** The home of the subscription, or of the last one. */
    private @Nullable Home home;

    /** How often it has begun to subscribe: the lock may move before a thread has done so. */
    private int openings;

    /** Whether the queue will be notified of the confirmation or the refusal. */
    private boolean awaitsConfirmation;

    /** @param wakeUps what receives the messages */
    QueueSubscription(WaitQueue queue, QueueHead head, WakeUpSource wakeUps) {
        this.queue = queue;
        this.head = head;
        this.wakeUps = wakeUps;
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

    boolean isConfirmed() {
        Subscription open = wakeUps.subscription();
        return open != null && open.isConfirmed();
    }

    @Nullable
    Home home() {
        return home;
    }

    /** {@return the subscription, if the caller is to {@linkplain #awaitConfirmation await} its next confirmation} */
    @Nullable
    Subscription takeUnconfirmed() {
        Subscription unconfirmed = awaitsConfirmation ? null : wakeUps.unconfirmed();
        awaitsConfirmation |= unconfirmed != null;
        return unconfirmed;
    }

    /** {@return what is to be closed, outside the monitor} */
    private WakeUpSource.Leftover close() {
        opened = false;
        head.silenced();
        return wakeUps.shut();
    }

    // --- Outside the monitor.

    /** Subscribes, unless the queue has already. */
    void open() {
        Home subscribesAt;
        int opening;
        synchronized (queue) {
            if (opened) {
                return;
            }
            opened = true;
            opening = ++openings;
            subscribesAt = queue.home();
        }
        Subscription subscription;
        try {
            subscription = subscribesAt.channels().subscribe(queue.lock().channel());
        } catch (SubscriptionsClosedException e) {
            queue.channelsClosed(subscribesAt);
            return;
        }
        boolean late;
        synchronized (queue) {
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
    void awaitConfirmation(Subscription subscription) {
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            WakeUpSource.Leftover refused;
            synchronized (queue) {
                if (wakeUps.subscription() != subscription) {
                    return;
                }
                awaitsConfirmation = false;
                refused = refusal == null ? WakeUpSource.Leftover.NONE : close();
            }
            refused.close();
            if (refusal != null && isNotExecuted(refusal)) {
                openLater();
            } else if (refusal != null) {
                queue.failures().cannotListen(refusal);
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
                .await(this::openAgain, queue.session().now() + queue.session().commandTimeoutNanos(), this::openAgain);
    }

    /** The attempt makes up for messages that were missed between the two subscriptions. */
    private void openAgain() {
        if (queue.hasWaiters()) {
            open();
            head.wake();
        }
    }

    /**
     * The lock has moved: the channel is that of another node from now on. The subscription's confirmation wakes the
     * head, so a release in between is noticed; the attempt here is for a node that confirms it late.
     */
    void moved() {
        WakeUpSource.Leftover former;
        synchronized (queue) {
            if (!opened) {
                return;
            }
            former = close();
        }
        former.close();
        openAgain();
    }
}
