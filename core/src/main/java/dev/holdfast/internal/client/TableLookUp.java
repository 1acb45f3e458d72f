package dev.holdfast.internal.client;

import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.NodeConnection;
import dev.holdfast.internal.session.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes of a cluster for its table, one after the other until one answers: first those that are connected, in
 * random order, then all others that are known, and at last those that the user named, over a connection for this one
 * question.
 */
final class TableLookUp extends LookUp {
    private static final Logger log = LoggerFactory.getLogger(TableLookUp.class);

    private final Cluster cluster;
    private final Session session;

    /** The nodes that have proved to be of another cluster. */
    private final Set<NodeAddress> strangers = ConcurrentHashMap.newKeySet();

    TableLookUp(Cluster cluster) {
        super(cluster);
        this.cluster = cluster;
        this.session = cluster.session();
    }

    @Override
    CompletionStage<?> ask() {
        Deque<Supplier<CompletionStage<SlotTable>>> sources = sources(node -> true);
        cluster.seeds().stream()
                .filter(seed -> !cluster.known().contains(seed))
                .forEach(seed -> sources.add(() -> connectAndQuery(seed)));
        return ask(sources);
    }

    /** {@return completes when another node than this one has answered, and the table is applied, or when none has} */
    CompletionStage<?> askOtherThan(NodeAddress silent) {
        return ask(sources(node -> !node.equals(silent)));
    }

    private Deque<Supplier<CompletionStage<SlotTable>>> sources(Predicate<NodeAddress> which) {
        Deque<Supplier<CompletionStage<SlotTable>>> sources = new ArrayDeque<>();
        List<MasterNode> connected = new ArrayList<>(cluster.nodes());
        connected.removeIf(node -> !which.test(node.address()));
        Collections.shuffle(connected);
        for (MasterNode node : connected) {
            NodeConnection connection = node.connection();
            if (connection != null) {
                sources.add(() -> queryWithIds(connection, node.address()));
            }
        }
        List<NodeAddress> others = new ArrayList<>(cluster.known());
        others.removeIf(which.negate());
        Collections.shuffle(others);
        others.forEach(node -> sources.add(() -> connectAndQuery(node)));
        return sources;
    }

    /** {@return completes with whether a table was applied; what one node says, or fails to say, leaves the next one} */
    private CompletionStage<Boolean> ask(Deque<Supplier<CompletionStage<SlotTable>>> sources) {
        Supplier<CompletionStage<SlotTable>> next = sources.poll();
        if (next == null || cluster.isClosed()) {
            return CompletableFuture.completedStage(false);
        }
        CompletableFuture<SlotTable> answer =
                CompletableFuture.completedFuture(next).thenCompose(Supplier::get);
        session.after(LONGEST, () -> answer.completeExceptionally(new TimeoutException("no answer to CLUSTER SLOTS")));
        return answer.thenApply(this::apply)
                .exceptionally(failure -> {
                    log.debug("A node has not told the slots of the cluster", failure);
                    return false;
                })
                .thenCompose(applied -> applied ? CompletableFuture.completedStage(true) : ask(sources));
    }

    private boolean apply(SlotTable table) {
        boolean applied = cluster.apply(table);
        if (!applied && strangers.add(table.by())) {
            log.warn(
                    "Redis at {} is a node of another cluster than the one that this client uses, and is not asked for"
                            + " its locks. If redisUri names nodes of several clusters, that is a mistake; if the cluster"
                            + " was created anew, its clients have to be, too",
                    table.by());
        }
        return applied;
    }

    /**
     * A node whose table names no node of the one before is asked for all nodes that it knows: a table lacks masters that have
     * failed, and replicas without data.
     */
    private CompletionStage<SlotTable> queryWithIds(NodeConnection connection, NodeAddress node) {
        return query(connection, node)
                .thenCompose(table -> cluster.isOfThisCluster(table)
                        ? CompletableFuture.completedStage(table)
                        : connection
                                .clusterNodes()
                                .handle((known, failure) -> failure == null ? table.naming(known) : table));
    }

    static CompletionStage<SlotTable> query(NodeConnection connection, NodeAddress node) {
        return connection.clusterSlots().thenApply(reply -> SlotTable.read(reply, node));
    }

    private CompletionStage<SlotTable> connectAndQuery(NodeAddress node) {
        return cluster.driver().connect(node).thenCompose(connection -> queryWithIds(connection, node)
                .whenComplete((table, failure) -> connection.closeAsync()));
    }
}
