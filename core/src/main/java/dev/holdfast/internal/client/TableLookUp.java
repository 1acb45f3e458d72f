package dev.holdfast.internal.client;

import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.NodeConnection;
import dev.holdfast.internal.session.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
                sources.add(() -> query(connection, node.address()));
            }
        }
        List<NodeAddress> others = new ArrayList<>(cluster.known());
        others.removeIf(which.negate());
        Collections.shuffle(others);
        others.forEach(node -> sources.add(() -> connectAndQuery(node)));
        return sources;
    }

    private CompletionStage<?> ask(Deque<Supplier<CompletionStage<SlotTable>>> sources) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        askNext(sources, done);
        return done;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void askNext(Deque<Supplier<CompletionStage<SlotTable>>> sources, CompletableFuture<Boolean> done) {
        Supplier<CompletionStage<SlotTable>> next = sources.poll();
        if (next == null || cluster.isClosed()) {
            done.complete(false);
            return;
        }
        CompletableFuture<SlotTable> answer = new CompletableFuture<>();
        next.get().whenComplete((table, failure) -> settle(answer, table, failure));
        session.after(LONGEST, () -> answer.completeExceptionally(new TimeoutException("no answer to CLUSTER SLOTS")));
        answer.whenComplete((table, failure) -> {
            if (failure == null) {
                cluster.apply(table);
                done.complete(true);
            } else {
                log.debug("A node has not told the slots of the cluster", failure);
                askNext(sources, done);
            }
        });
    }

    private static <T> void settle(CompletableFuture<T> answer, @Nullable T value, @Nullable Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else if (value != null) {
            answer.complete(value);
        }
    }

    static CompletionStage<SlotTable> query(NodeConnection connection, NodeAddress node) {
        return connection.clusterSlots().thenApply(reply -> SlotTable.read(reply, node));
    }

    private CompletionStage<SlotTable> connectAndQuery(NodeAddress node) {
        return cluster.driver().connect(node).thenCompose(connection -> query(connection, node)
                .whenComplete((table, failure) -> connection.closeAsync()));
    }
}
