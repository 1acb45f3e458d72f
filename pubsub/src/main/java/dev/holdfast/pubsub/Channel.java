package dev.holdfast.pubsub;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One channel: who wants it, what the server was last known to do about it, and who waits for its messages.
 *
 * <pre>
 *                        wanted                  confirmed
 *             ABSENT ---------------> SUBSCRIBING ---------------> SUBSCRIBED
 *             |  ^ ^                   |                               |
 *  not wanted |  | | wanted anew,      | refused             not wanted|
 *             |  | | reconnect         v                               v
 *             |  | +---------------- REFUSED                     UNSUBSCRIBING
 *             v  |                                                     |
 *         RETIRED+-----------------------------------------------------+ confirmed
 *
 *     the connection lost: any but RETIRED -> ABSENT
 * </pre>
 *
 * <p>Events only write down what happened; {@link #advance} then compares it with what is wanted, and any thread may call
 * it at any time. Whoever gets a {@link ChannelAction} from it performs it, outside the monitor. Such a thread may be held up until
 * the connection is another one, and a command more than needed goes out. So answers are read for what they say and not
 * counted: a confirmation in UNSUBSCRIBING is an old one, an end of subscription in SUBSCRIBING likewise, and one in
 * SUBSCRIBED means that it has to be asked for again. A message heard too much costs nothing; a state that claims to hear
 * while it does not would cost a lease.
 *
 * <p>Each confirmation wakes everyone, since nothing was heard before it.
 */
final class Channel {
    private static final CompletionStage<Void> CONFIRMED = CompletableFuture.completedStage(null);

    private final String name;
    private final AsyncSemaphore semaphore = new AsyncSemaphore();

    // All guarded by this.
    private ChannelState state = ChannelState.ABSENT;
    private @Nullable CompletableFuture<Void> confirmation;
    private int subscriptions;
    private int idleSince;
    private boolean lingering;
    private boolean listed;

    Channel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    AsyncSemaphore semaphore() {
        return semaphore;
    }

    /**
     * Counts one more subscription.
     *
     * @return false if this channel is retired and another must be made
     */
    synchronized boolean retain() {
        if (state == ChannelState.RETIRED) {
            return false;
        }
        subscriptions++;
        lingering = false;
        if (state == ChannelState.REFUSED) {
            startOver();
        }
        return true;
    }

    /**
     * Counts one less.
     *
     * @return whether it was the last, so that the channel lingers from now, in period {@code now}
     */
    synchronized boolean release(int now) {
        subscriptions--;
        lingering = subscriptions == 0 && state != ChannelState.RETIRED;
        idleSince = now;
        return lingering;
    }

    /** {@return whether the channel still lingers in period {@code now}; ends it if it has done so for a whole period} */
    synchronized boolean lingersOn(int now) {
        if (lingering && now - idleSince > 1) {
            lingering = false;
        }
        return lingering;
    }

    /** Decides what is to be done and writes it down as under way; the caller does it. */
    synchronized ChannelAction advance(Wire wire) {
        ChannelAction step = ChannelAction.next(state, subscriptions > 0 || lingering, listed, wire.isConnected());
        switch (step) {
            case SUBSCRIBE -> state = ChannelState.SUBSCRIBING;
            case UNSUBSCRIBE -> state = ChannelState.UNSUBSCRIBING;
            case RETIRE -> state = ChannelState.RETIRED;
            case NOTHING -> {}
        }
        return step;
    }

    /** The connection was lost: nothing is subscribed, nothing under way. */
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
     * The server confirmed a subscription. Everyone is woken before the state shows it: whoever finds the channel subscribed
     * and drains the permits before a look has drained this one as well.
     */
    void subscribed() {
        synchronized (this) {
            listed = true;
            if (!isUnconfirmed()) {
                return;
            }
        }
        semaphore.wakeAll();
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

    /**
     * A message came. It wakes one waiter; but when several subscriptions share the channel, they need not be after the same
     * thing, and whoever could do nothing with it would have swallowed it. Then it wakes everyone, and a permit is kept for
     * one who is between his look and his wait.
     */
    void message() {
        boolean shared;
        synchronized (this) {
            shared = subscriptions > 1;
        }
        if (shared) {
            semaphore.wakeAll();
        }
        semaphore.release();
    }

    /** The server answered SUBSCRIBE with an error. Whoever waits, perhaps since an earlier connection, is woken: no message will come. */
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
        semaphore.wakeAll();
    }

    /** {@return done if the present connection has a confirmed subscription, else to be done with the next} */
    synchronized CompletionStage<Void> confirmed() {
        return state == ChannelState.SUBSCRIBED ? CONFIRMED : pendingConfirmation();
    }

    synchronized boolean isConfirmed() {
        return state == ChannelState.SUBSCRIBED;
    }

    /** {@return how many subscriptions there are} */
    synchronized int subscriptions() {
        return subscriptions;
    }

    private CompletableFuture<Void> pendingConfirmation() {
        if (confirmation == null) {
            confirmation = new CompletableFuture<>();
        }
        return confirmation;
    }

    /** {@return whether the server owes this channel an answer or a message} */
    boolean isExpecting() {
        synchronized (this) {
            if (state == ChannelState.SUBSCRIBING || state == ChannelState.UNSUBSCRIBING) {
                return true;
            }
        }
        return semaphore.waiting() > 0;
    }

    void close(RuntimeException reason) {
        CompletableFuture<Void> failed;
        synchronized (this) {
            state = ChannelState.RETIRED;
            failed = pendingConfirmation();
        }
        failed.completeExceptionally(reason);
        semaphore.close(reason);
    }
}
