package dev.holdfast.internal.wait;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.SubscriberCount;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

/**
 * The number of other clients that are subscribed to the releases of one lock. Redis is queried now and then, while
 * this client has the lock and would keep it; no command waits for the reply.
 */
final class RemoteWaiters implements Call.Callback {
    private static final AtomicIntegerFieldUpdater<RemoteWaiters> QUERYING =
            AtomicIntegerFieldUpdater.newUpdater(RemoteWaiters.class, "querying");
    private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();

    private final Supplier<Home> home;
    private final LockKey lock;

    /** 1 while a query is unanswered, else 0. */
    private volatile int querying;

    /** Written by the thread that set {@link #querying}. */
    private volatile long queriedNanos;

    /** Written by the thread that receives the number. */
    private volatile int others;

    RemoteWaiters(Supplier<Home> home, LockKey lock, long now) {
        this.home = home;
        this.lock = lock;
        this.queriedNanos = now - FRESH_NANOS;
    }

    /** Queries Redis again if the last query is not fresh. */
    void refresh(long now) {
        if (now - queriedNanos >= FRESH_NANOS && querying == 0 && QUERYING.compareAndSet(this, 0, 1)) {
            queriedNanos = now;
            home.get().send(SubscriberCount.of(lock.channel(), this));
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
        querying = 0;
    }

    /** {@return how many others are subscribed, if this many clients are} Where the number is unknown, one other is assumed. */
    private int count(int clients) {
        Home node = home.get();
        int others = others(clients, node.channels().isConfirmed(lock.channel()));
        return node.publishing().isCounted() ? others : Math.max(1, others);
    }

    /**
     * {@return how many others are subscribed} Redis does not count this client while its subscription is not
     * confirmed: the subscription's connection may be lost while the connection for commands is up.
     *
     * @param clients the number of subscribed clients, as Redis counts
     * @param confirmed whether this client's subscription is confirmed
     */
    static int others(int clients, boolean confirmed) {
        return Math.max(0, confirmed ? clients - 1 : clients);
    }
}
