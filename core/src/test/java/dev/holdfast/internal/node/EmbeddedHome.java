package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.PubSubSettings;
import dev.holdfast.pubsub.Subscriptions;
import io.netty.util.Timer;

/** The home of all locks, at a node that replies what a test replies. */
public final class EmbeddedHome extends NoHome {
    private final EmbeddedNode node;
    private final Subscriptions channels;
    private final ConnectionWait connectionWait;
    private final HandoffReplies handoffReplies = new HandoffReplies();

    /** Whether the next call cannot be sent, for a reason that nobody expects. */
    private boolean throwsNext;

    private boolean steady;

    /** @param timer is to be stopped by the caller */
    public EmbeddedHome(Session session, EmbeddedNode node, Timer timer) {
        super(session);
        this.node = node;
        this.channels = Subscriptions.unconnected(timer, PubSubSettings.defaults());
        this.connectionWait =
                new ConnectionWait(session.deadlines(), lock -> node.link().isUp());
    }

    /** From now on, the node has not been replaced lately, as far as its replies show. */
    public void becomeSteady() {
        steady = true;
    }

    /** To send the next call throws an exception. */
    public void throwNext() {
        throwsNext = true;
    }

    @Override
    public void send(SynchronizerKey lock, Call call) {
        if (throwsNext) {
            throwsNext = false;
            throw new IllegalStateException("on purpose");
        }
        call.isAbout(lock.slot());
        node.link().send(call);
    }

    @Override
    public boolean isSteady() {
        return steady;
    }

    @Override
    public long epochNumber() {
        return node.link().epochNumber();
    }

    @Override
    public Subscriptions channels() {
        return channels;
    }

    @Override
    public ConnectionWait connectionWait() {
        return connectionWait;
    }

    @Override
    public HandoffReplies handoffReplies() {
        return handoffReplies;
    }
}
