package dev.holdfast.internal.wait;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.SubscriberCount;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The number of other subscribers to the releases of one lock: other clients, and queues of this client for another
 * kind of lock of the same name. Redis is queried now and then, while this client has the lock and would keep it; no
 * command waits for the reply.
 */
final class RemoteWaiters implements Call.Callback {
    private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();

    private final Home home;
    private final LockKey lock;
    private final BooleanSupplier isListening;
    private final AtomicBoolean asking = new AtomicBoolean();

    /** Written by the thread that set {@link #asking}. */
    private volatile long askedNanos;

    /** Written by the thread that receives the number. */
    private volatile int others;

    /** @param isListening whether the queue has a subscription of its own */
    RemoteWaiters(Session session, Home home, LockKey lock, BooleanSupplier isListening) {
        this.home = home;
        this.lock = lock;
        this.isListening = isListening;
        this.askedNanos = session.now() - FRESH_NANOS;
    }

    /** Queries Redis again if the last query is not fresh. */
    void refresh(long now) {
        if (now - askedNanos >= FRESH_NANOS && asking.compareAndSet(false, true)) {
            askedNanos = now;
            home.send(SubscriberCount.of(lock.channelWord().bytes(), this));
        }
    }

    /** Records how many clients received the message of a release. */
    void received(int clients) {
        others = count(clients);
    }

    /** {@return how many others were subscribed when Redis last reported it; 0 before that} */
    int others() {
        return others;
    }

    /** If Redis refuses the query, for instance for lack of the right to run PUBSUB NUMSUB, one other is assumed. */
    @Override
    public void completed(Call call) {
        switch (call.outcome()) {
            case ANSWERED -> others = count(SubscriberCount.number(call));
            case REFUSED -> others = 1;
            case UNKNOWN, NOT_SENT, NOT_EXECUTED -> {}
        }
        asking.set(false);
    }

    /** {@return how many others are subscribed, if this many clients are} */
    private int count(int clients) {
        String channel = lock.channel();
        int own = isListening.getAsBoolean() ? 1 : 0;
        return others(
                clients, home.channels().isConfirmed(channel), home.channels().subscriptions(channel) - own);
    }

    /**
     * {@return how many others are subscribed} Redis counts this client once, however many of its queues share the
     * channel, and not at all while its subscription is not confirmed: the subscription's connection may be lost while
     * the connection for commands is up.
     *
     * @param clients the number of subscribed clients, as Redis counts
     * @param confirmed whether this client's subscription is confirmed
     * @param queues how many other queues of this client are subscribed
     */
    static int others(int clients, boolean confirmed, int queues) {
        return Math.max(0, confirmed ? clients - 1 : clients) + Math.max(0, queues);
    }
}
