package dev.holdfast.interleavings.orders;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.ModelLink;
import dev.holdfast.internal.topology.Topology;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One modelled node that has all locks. */
record OneNode(RedisHome node, ModelLink server) implements Topology {
    @Override
    public CompletionStage<?> start(Events events) {
        return server.start(events.of(node));
    }

    @Override
    public boolean isConnected() {
        return node.isConnected();
    }

    @Override
    public List<ConnectionProblem> problems() {
        return node.problem().stream().toList();
    }

    @Override
    public CompletionStage<?> stop() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public Home of(SynchronizerKey lock) {
        return node;
    }

    @Override
    public boolean canMove() {
        return false;
    }

    @Override
    public Collection<RedisHome> homes() {
        return List.of(node);
    }
}
