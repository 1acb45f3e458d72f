package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.SubscriberCount;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the two connections of a client lead to the same server: a channel that is subscribed on one of them, and that
 * no other client has, must have a subscriber at the server of the other one. Each check has a channel of its own, so that a
 * connection which only the server believes to exist does not count.
 *
 * <p>It is made after every reconnect of either, when both are up. A server that refuses one of the two commands is not
 * checked.
 */
final class SameServer {
    private static final Logger log = LoggerFactory.getLogger(SameServer.class);

    private final RedisLink link;
    private final Subscriptions channels;
    private final String channel;
    private final Runnable together;
    private final Runnable apart;
    private final AtomicLong checks = new AtomicLong();

    /** The first connections of a client are made at the same time. */
    private volatile long first;

    /**
     * @param channel the beginning of the channels' names, of this client alone
     * @param together called on an I/O thread when both lead to the same server
     * @param apart called on an I/O thread when they do not
     */
    SameServer(RedisLink link, Subscriptions channels, String channel, Runnable together, Runnable apart) {
        this.link = link;
        this.channels = channels;
        this.channel = channel;
        this.together = together;
        this.apart = apart;
    }

    /** One of the connections has been established. Nothing is done before the other one is. */
    void check() {
        long epoch = link.epochNumber();
        int subscribed = channels.epoch();
        if (epoch == 0 || !channels.isConnected() || isFirst(epoch, subscribed)) {
            return;
        }
        String own = channel + ":" + checks.incrementAndGet();
        Subscription subscription;
        try {
            subscription = channels.subscribe(own);
        } catch (SubscriptionsClosedException e) {
            log.debug("not checked, since the client is closed", e);
            return;
        }
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal == null) {
                count(own, call -> {
                    subscription.closeAtOnce();
                    if (epoch == link.epochNumber() && subscribed == channels.epoch()) {
                        counted(call);
                    }
                });
            } else {
                subscription.closeAtOnce();
            }
        });
    }

    private boolean isFirst(long epoch, int subscribed) {
        if (first == 0) {
            first = epoch;
        }
        return epoch == first && subscribed <= 1;
    }

    private void count(String own, Consumer<Call> then) {
        link.send(SubscriberCount.of(own, then::accept));
    }

    private void counted(Call call) {
        if (call.outcome() != Call.Outcome.ANSWERED) {
            log.debug("not checked: {}", call.error());
        } else if (SubscriberCount.number(call) > 0) {
            together.run();
        } else {
            apart.run();
        }
    }
}
