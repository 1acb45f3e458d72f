package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.SubscriberCount;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many others listen for the releases of one lock: other clients, and queues of this client for another kind of lock of
 * the same name. Redis is asked now and then, while this client has the lock and would keep it; no command waits for the
 * answer.
 */
final class RemoteWaiters implements Call.Callback {
    private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();

    private final Engine engine;
    private final WaitQueue queue;
    private final AtomicBoolean asking = new AtomicBoolean();

    /** Written by who set {@link #asking}. */
    private volatile long askedNanos;

    /** Written by who learns of it. */
    private volatile int others;

    RemoteWaiters(Engine engine, WaitQueue queue) {
        this.engine = engine;
        this.queue = queue;
        this.askedNanos = engine.now() - FRESH_NANOS;
    }

    /** Asks again if the last answer is not fresh. */
    void refresh(long now) {
        if (now - askedNanos >= FRESH_NANOS && asking.compareAndSet(false, true)) {
            askedNanos = now;
            engine.send(SubscriberCount.of(queue.lock().channelWord().bytes(), this));
        }
    }

    /** So many clients have received the message of a release. */
    void received(int clients) {
        others = count(clients);
    }

    /** {@return how many others listened when Redis last answered; 0 before that} */
    int others() {
        return others;
    }

    /** A client that is not allowed to ask assumes that there is one other. */
    @Override
    public void completed(Call call) {
        switch (call.outcome()) {
            case ANSWERED -> others = count(SubscriberCount.number(call));
            case REFUSED -> others = 1;
            case UNKNOWN, NOT_SENT, NOT_EXECUTED -> {}
        }
        asking.set(false);
    }

    /** {@return how many others listen, if that many clients do} */
    private int count(int clients) {
        String channel = queue.lock().channel();
        int own = queue.head().isListening() ? 1 : 0;
        return others(
                clients,
                engine.channels().isConfirmed(channel),
                engine.channels().subscriptions(channel) - own);
    }

    /**
     * {@return how many others listen} Redis counts this client once, however many of its queues share the channel, and not at
     * all while its subscription is not confirmed: that connection may be lost while the one of the commands is well.
     *
     * @param clients how many listen, as Redis counts
     * @param queues how many other queues of this client do
     */
    static int others(int clients, boolean confirmed, int queues) {
        return Math.max(0, confirmed ? clients - 1 : clients) + Math.max(0, queues);
    }
}
