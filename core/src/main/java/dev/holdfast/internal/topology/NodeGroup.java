package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.Silence;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A topology whose locks move from one Redis node to another, without the user's doing: what a {@link MasterNode} needs
 * to know of it.
 *
 * @see "ClusterTest, SentinelsTest"
 */
abstract class NodeGroup implements Topology {
    /** A master that is silent for no longer than this is not replaced: other nodes need longer to agree that it fails. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    /** Enough for a node that has one slot of a cluster. */
    private static final int TRIED_KEYS = 20 * HashSlot.COUNT;

    private final Settings settings;
    private final Session session;
    private final Driver driver;

    /** Set before any node is created. */
    private volatile @Nullable Events events;

    private volatile boolean closed;

    NodeGroup(Settings settings, Session session, Driver driver) {
        this.settings = settings;
        this.session = session;
        this.driver = driver;
    }

    // --- What the nodes ask.

    /** {@return whether this node is the master of any locks, as far as is known} */
    abstract boolean isMaster(MasterNode node);

    /** {@return whether this node is the master of the locks of this slot, as far as is known} */
    abstract boolean isAt(int slot, MasterNode node);

    /** Something is wrong with a node, or with what is known of it: another one may be the master. */
    abstract void lookUp();

    /** {@return whether a master that is in use is not connected} Then another one may take its place. */
    abstract boolean isTroubled();

    /** A node did not execute a call, which it redirected. */
    void redirected(MasterNode by, Redirection to) {
        lookUp();
    }

    /** {@return the link to the node that a call is to be asked at; null if the call is to be sent again later} */
    @Nullable
    RedisLink toAsk(MasterNode by, Redirection ask) {
        return null;
    }

    /** {@return the exception for a node that cannot be connected to, or does not accept calls} */
    abstract LockException cannotConnect(NodeAddress node, Throwable failure);

    /** As {@link Routing#askingRefused}. */
    void askingRefused(MasterNode by, String error) {}

    /**
     * Asks others than this node which one is the master. If another one is, its locks move.
     *
     * @return completes with whether they have said that this one is; not if none has answered, or another one is
     */
    abstract CompletionStage<Boolean> confirmAgain(MasterNode silent);

    /** As {@link Routing#confirm}. */
    CompletionStage<?> confirm(MasterNode node, Consumer<Call> first) {
        return CompletableFuture.completedStage(null);
    }

    // --- What all have in common.

    final Session session() {
        return session;
    }

    final Driver driver() {
        return driver;
    }

    final void begin(Events listeners) {
        events = listeners;
    }

    final Events events() {
        Events known = events;
        if (known == null) {
            throw new IllegalStateException("a topology is started before it has nodes");
        }
        return known;
    }

    /** {@return how releases are published at this node, as far as is known} */
    abstract Publishing publishing(MasterNode node);

    final RedisLink newLink(Routing routing) {
        return driver.newLink(session.deadlines(), routing);
    }

    final RedisHome newHome(
            String place, RedisLink link, Supplier<Publishing> publishing, Predicate<SynchronizerKey> resumes) {
        return new RedisHome(place, session, link, driver.unconnected(), publishing, resumes);
    }

    /** {@return a channel on which nothing is published, for a lock whose home this node is if there is one} */
    final String unusedChannel(MasterNode node) {
        String key = settings.keyPrefix() + 0;
        for (int i = 1; i < TRIED_KEYS && !isAt(HashSlot.of(key), node); i++) {
            key = settings.keyPrefix() + i;
        }
        return LockKey.unusedChannel(key, session.owners().clientId());
    }

    /** Runs the task on another thread. */
    final void soon(Runnable task) {
        session.after(Duration.ZERO, task);
    }

    final Silence newSilence() {
        return new Silence(session::now, Math.min(SILENCE.toNanos(), session.commandTimeoutNanos() / 3));
    }

    final void afterReconnectDelay(Runnable task) {
        after(settings.reconnectDelay(), task);
    }

    /** Runs it when a node whose last reply is of now can have been replaced. */
    final void afterSilence(Runnable task) {
        after(SILENCE, task);
    }

    private void after(Duration delay, Runnable task) {
        if (!closed) {
            session.after(delay, () -> {
                if (!closed) {
                    task.run();
                }
            });
        }
    }

    final boolean isClosed() {
        return closed;
    }

    @Override
    public CompletionStage<?> stop() {
        closed = true;
        return CompletableFuture.completedStage(null);
    }
}
