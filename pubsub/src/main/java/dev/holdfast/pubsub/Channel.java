package dev.holdfast.pubsub;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One channel: its subscriptions, each of which has its own waiters, and its last known state at the server.
 *
 * <pre>
 *                        wanted                  confirmed
 *             ABSENT ---------------> SUBSCRIBING ---------------> SUBSCRIBED
 *             |  ^ ^                   |                               |
 *  not wanted |  | | wanted again,     | refused             not wanted|
 *             |  | | reconnect         v                               v
 *             |  | +---------------- REFUSED                     UNSUBSCRIBING
 *             v  |                                                     |
 *         RETIRED+-----------------------------------------------------+ confirmed
 *
 *     the connection lost: any but RETIRED -> ABSENT
 * </pre>
 *
 * <p>Events only record what happened; {@link #advance} then compares the state with what is wanted, and any thread may
 * call it at any time. The thread that receives a {@link ChannelAction} from it performs the action, outside the
 * monitor. That thread may be delayed until there is a new connection, and then sends a command more than needed. So
 * replies are taken by their content and not counted: a confirmation in UNSUBSCRIBING is an old one, as is an end of
 * subscription in SUBSCRIBING; an end of subscription in SUBSCRIBED means that the channel must be subscribed again. A
 * message too many costs nothing; a state that is SUBSCRIBED while no messages are received would cost a lease.
 *
 * <p>Each confirmation wakes all waiters, since no message was received before it. A subscription of a channel that is confirmed
 * already begins like that: its first wait ends at once, unless an attempt was made since.
 */
final class Channel {
    private static final CompletionStage<Void> CONFIRMED = CompletableFuture.completedStage(null);

    private final String name;

    // All guarded by this.
    private ChannelState state = ChannelState.ABSENT;
    private @Nullable CompletableFuture<Void> confirmation;
    private int idleSince;
    private boolean lingering;
    private boolean listed;

    /** Unmodifiable: replaced by each change. */
    private List<Subscription> subscriptions = List.of();

    Channel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /**
     * Adds a subscription.
     *
     * @return false if this channel is retired and a new one must be created
     */
    boolean retain(Subscription added) {
        boolean confirmed;
        synchronized (this) {
            if (state == ChannelState.RETIRED) {
                return false;
            }
            subscriptions =
                    Stream.concat(subscriptions.stream(), Stream.of(added)).toList();
            confirmed = listed;
            lingering = false;
            if (state == ChannelState.REFUSED) {
                startOver();
            }
        }
        if (confirmed) {
            added.semaphore.release(); // It may have missed what came before.
        }
        return true;
    }

    private synchronized List<Subscription> subscriptions() {
        return subscriptions;
    }

    private static void forEachListener(List<Subscription> present, Consumer<ChannelListener> event) {
        for (Subscription subscription : present) {
            ChannelListener listener = subscription.listener;
            if (listener != null) {
                event.accept(listener);
            }
        }
    }

    /**
     * Removes a subscription.
     *
     * @return whether it was the last one, so that the channel lingers from now on, in period {@code now}
     */
    synchronized boolean release(Subscription removed, int now) {
        subscriptions = subscriptions.stream().filter(known -> known != removed).toList();
        lingering = subscriptions.isEmpty() && state != ChannelState.RETIRED;
        idleSince = now;
        return lingering;
    }

    /**
     * {@return whether the channel still lingers in period {@code now}; ends it if it has done so for a whole period}
     */
    synchronized boolean lingersOn(int now) {
        if (lingering && now - idleSince > 1) {
            lingering = false;
        }
        return lingering;
    }

    /** A channel that lingers does so no longer. */
    synchronized void endLinger() {
        lingering = false;
    }

    /** Decides on the next action and records it as in progress; the caller performs it. */
    synchronized ChannelAction advance(Wire wire) {
        ChannelAction step =
                ChannelAction.next(state, !subscriptions.isEmpty() || lingering, listed, wire.isConnected());
        switch (step) {
            case SUBSCRIBE -> state = ChannelState.SUBSCRIBING;
            case UNSUBSCRIBE -> state = ChannelState.UNSUBSCRIBING;
            case RETIRE -> state = ChannelState.RETIRED;
            case NOTHING -> {}
        }
        return step;
    }

    /** The connection was lost: the channel is not subscribed, and no command is in flight. */
    synchronized void reset() {
        if (state != ChannelState.RETIRED) {
            startOver();
        }
    }

    private void startOver() {
        if (state == ChannelState.REFUSED) {
            confirmation = null;
        }
        state = ChannelState.ABSENT;
    }

    /**
     * The server confirmed a subscription. All waiters are woken before the state becomes SUBSCRIBED: a caller that
     * finds the channel subscribed, and drains the permits before an attempt, has then drained the permit of this
     * wake-up as well.
     */
    void subscribed() {
        synchronized (this) {
            listed = true;
            if (!isUnconfirmed()) {
                return;
            }
        }
        wakeAll();
        CompletableFuture<Void> confirmed;
        synchronized (this) {
            if (!isUnconfirmed()) {
                return;
            }
            confirmed = state == ChannelState.REFUSED ? null : confirmation;
            state = ChannelState.SUBSCRIBED;
            confirmation = null;
        }
        if (confirmed != null) {
            confirmed.complete(null);
        }
        forEachListener(subscriptions(), ChannelListener::confirmed);
    }

    private boolean isUnconfirmed() {
        return state == ChannelState.ABSENT || state == ChannelState.SUBSCRIBING || state == ChannelState.REFUSED;
    }

    /** The server confirmed the end of a subscription. */
    synchronized void unsubscribed() {
        listed = false;
        if (state == ChannelState.SUBSCRIBED || state == ChannelState.UNSUBSCRIBING) {
            state = ChannelState.ABSENT;
        }
    }

    /** A message arrived. The listeners receive it, and it wakes one waiter of each subscription. */
    void message(String message) {
        List<Subscription> present = subscriptions();
        forEachListener(present, listener -> listener.message(message));
        present.forEach(subscription -> subscription.semaphore.release());
    }

    private void wakeAll() {
        subscriptions().forEach(subscription -> subscription.semaphore.wakeAll());
    }

    /**
     * The server replied to SUBSCRIBE with an error. All waiters, including those of an earlier connection, are woken,
     * since no message will arrive.
     */
    void refused(Throwable reply) {
        CompletableFuture<Void> failed;
        synchronized (this) {
            if (state != ChannelState.SUBSCRIBING) {
                return;
            }
            state = ChannelState.REFUSED;
            failed = pendingConfirmation();
        }
        failed.completeExceptionally(new SubscriptionRefusedException(name, reply));
        wakeAll();
    }

    /** {@return completed if the present connection has a confirmed subscription, else completes with the next one} */
    synchronized CompletionStage<Void> confirmed() {
        return state == ChannelState.SUBSCRIBED ? CONFIRMED : pendingConfirmation();
    }

    /** {@return whether it has a subscription} */
    synchronized boolean isUsed() {
        return !subscriptions.isEmpty();
    }

    synchronized boolean isConfirmed() {
        return state == ChannelState.SUBSCRIBED;
    }

    private CompletableFuture<Void> pendingConfirmation() {
        if (confirmation == null) {
            confirmation = new CompletableFuture<>();
        }
        return confirmation;
    }

    /** {@return whether this channel waits for a reply or a message of the server} */
    boolean isExpecting() {
        synchronized (this) {
            if (state == ChannelState.SUBSCRIBING || state == ChannelState.UNSUBSCRIBING) {
                return true;
            }
        }
        return waiters() > 0;
    }

    /** {@return the waiters of all subscriptions} */
    int waiters() {
        return subscriptions().stream()
                .mapToInt(subscription -> subscription.semaphore.waiting())
                .sum();
    }

    void close(RuntimeException reason) {
        CompletableFuture<Void> failed;
        synchronized (this) {
            state = ChannelState.RETIRED;
            failed = pendingConfirmation();
        }
        failed.completeExceptionally(reason);
        subscriptions().forEach(subscription -> subscription.semaphore.close(reason));
    }
}
