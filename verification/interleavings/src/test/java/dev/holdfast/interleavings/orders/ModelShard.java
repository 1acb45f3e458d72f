package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Orders.pointOutsideMonitors;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.ModelLink;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.topology.Topology;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A master and a replica that takes its place. Both are connected all the time, until the master dies; of their
 * subscriptions there is one set.
 */
final class ModelShard implements Topology {
    private final ModelLink master;
    private final ModelLink replica;
    private final RedisHome former;
    private final RedisHome latter;
    private final ModelRedis redis;
    private @Nullable Events events;

    private volatile boolean promoted;

    ModelShard(
            ModelLink.Server server,
            ModelRedis redis,
            Session session,
            Deadlines deadlines,
            Duration commandTimeout,
            Subscriptions channels) {
        this.redis = redis;
        AtomicLong epochs = new AtomicLong();
        master = new ModelLink(server, deadlines, commandTimeout, epochs, new Node(false));
        replica = new ModelLink(server, deadlines, commandTimeout, epochs, new Node(true));
        former = new RedisHome(
                "model", session, master.link(), channels, () -> Publishing.SINGLE, lock -> isUp(master) || promoted);
        latter = new RedisHome(
                "model", session, replica.link(), channels, () -> Publishing.SINGLE, lock -> isUp(replica));
    }

    private static boolean isUp(ModelLink server) {
        return server.link().isUp();
    }

    /** {@return the one that has the lock first} */
    ModelLink master() {
        return master;
    }

    /** {@return the one that has it after the failover} */
    ModelLink replica() {
        return replica;
    }

    /** The master dies, its replica takes its place, and the client learns of it, in the steps in which it does. */
    void failOver() {
        master.die();
        pointOutsideMonitors("the end of the master");
        redis.promoteReplica();
        promoted = true;
        pointOutsideMonitors("the change of the table");
        former.connectionWait().over();
        pointOutsideMonitors("what waited");
        Objects.requireNonNull(events, "not started").moved(lock -> true);
    }

    @Override
    public Home of(SynchronizerKey lock) {
        return promoted ? latter : former;
    }

    @Override
    public CompletionStage<?> start(Events listeners) {
        events = listeners;
        return CompletableFuture.allOf(
                master.start(listeners.of(former)).toCompletableFuture(),
                replica.start(listeners.of(latter)).toCompletableFuture());
    }

    @Override
    public Collection<RedisHome> homes() {
        return List.of(former, latter);
    }

    @Override
    public List<ConnectionProblem> problems() {
        return List.of();
    }

    @Override
    public boolean isConnected() {
        return (promoted ? latter : former).isConnected();
    }

    @Override
    public CompletionStage<?> stop() {
        return CompletableFuture.completedStage(null);
    }

    private final class Node implements Routing {
        private final boolean isReplica;

        Node(boolean isReplica) {
            this.isReplica = isReplica;
        }

        @Override
        public boolean isHere(int slot) {
            return isReplica == promoted;
        }

        @Override
        public void notExecuted(NotExecutedException why) {}

        @Override
        public @Nullable Consumer<Call> toAsk(Redirection ask) {
            return null;
        }
    }
}
