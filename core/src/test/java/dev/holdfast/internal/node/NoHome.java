package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.Subscriptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A home whose link is never started: every call is settled as not sent. */
public class NoHome implements Home {
    private final RedisLink link;
    private final ConnectionWait connectionWait;
    private final RedisErrors errors;

    @SuppressWarnings("this-escape") // what gets it here calls it later
    public NoHome(Session session) {
        this.link = new RedisLink(
                List.of(),
                session.deadlines(),
                Duration.ofNanos(session.commandTimeoutNanos()),
                new AtomicLong(),
                Routing.NONE,
                null);
        this.connectionWait = new ConnectionWait(session.deadlines(), lock -> false);
        this.errors = new RedisErrors(session, this);
    }

    @Override
    public void send(SynchronizerKey lock, Call call) {
        link.send(call);
    }

    @Override
    public void send(Call call) {
        link.send(call);
    }

    @Override
    public void noteOutcome(Call call) {}

    @Override
    public @Nullable Outage outage() {
        return link.outage();
    }

    @Override
    public long epochNumber() {
        return 0;
    }

    @Override
    public boolean isSteady() {
        return false;
    }

    @Override
    public void restart(long epochNumber, Throwable why) {
        throw new AssertionError("there is no epoch to end", why);
    }

    @Override
    public Subscriptions channels() {
        throw new AssertionError("there is nothing to subscribe to");
    }

    @Override
    public @Nullable Throwable whyDown() {
        return link.whyDown();
    }

    @Override
    public Publishing publishing() {
        return Publishing.SINGLE;
    }

    @Override
    public ConnectionWait connectionWait() {
        return connectionWait;
    }

    @Override
    public RedisErrors errors() {
        return errors;
    }

    @Override
    public HandoffReplies handoffReplies() {
        throw new AssertionError("nothing is handed off");
    }
}
