package dev.holdfast.internal.topology;

import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.session.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes of a cluster for its table, one after the other until one answers, in this order:
 *
 * <ol>
 *   <li>the nodes that the present table names and that are connected,
 *   <li>all others that it names, over a connection for this one question,
 *   <li>the connected ones that it does not name, or that were silent since it was read: they may have been replaced as
 *       masters, and not have the message of that, so that their table is an old one,
 *   <li>those that the user named, over a connection for this question.
 * </ol>
 *
 * <p>Which of the same rank is asked first is random.
 */
final class TableLookUp extends LookUp {
    private static final Logger log = LoggerFactory.getLogger(TableLookUp.class);

    private final Cluster cluster;
    private final Session session;

    /** The nodes that have proved to be of another cluster. */
    private final Set<NodeAddress> ofOtherClusters = ConcurrentHashMap.newKeySet();

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

    /**
     * {@return completes when another node than this one has answered, and its table is applied, or when none has: with
     * whether it names this one as the master of all slots that it was thought to have} If no other node is known, and
     * this one still names none, there is none that could have replaced it.
     */
    CompletionStage<Boolean> confirm(MasterNode silent) {
        Deque<Supplier<CompletionStage<SlotTable>>> others = sources(node -> !node.equals(silent.address()));
        return others.isEmpty()
                ? confirmAlone(silent)
                : ask(others)
                        .thenApply(table ->
                                table.map(cluster::named).orElse(Set.of()).contains(silent));
    }

    private CompletionStage<Boolean> confirmAlone(MasterNode silent) {
        long askedNanos = session.now();
        Set<NodeAddress> alone = Set.of(silent.address());
        return ask(sources(node -> true)).thenApply(table -> {
            boolean isAlone = table.filter(told -> told.nodes().equals(alone)).isPresent() && cluster.isMaster(silent);
            if (isAlone) {
                silent.link().confirmed(askedNanos);
            }
            return isAlone;
        });
    }

    private Deque<Supplier<CompletionStage<SlotTable>>> sources(Predicate<NodeAddress> which) {
        Map<NodeAddress, NodeConnection> connected = new HashMap<>();
        Set<NodeAddress> doubted = new HashSet<>();
        for (MasterNode node : cluster.nodes()) {
            NodeConnection connection = node.connection();
            if (connection != null) {
                connected.put(node.address(), connection);
            }
            if (node.link().isDoubted()) {
                doubted.add(node.address());
            }
        }
        Deque<Supplier<CompletionStage<SlotTable>>> sources = new ArrayDeque<>();
        for (NodeAddress node : inOrder(cluster.known(), connected.keySet(), doubted)) {
            NodeConnection connection = connected.get(node);
            if (which.test(node)) {
                sources.add(connection == null ? () -> connectAndQuery(node) : () -> queryWithIds(connection, node));
            }
        }
        return sources;
    }

    /**
     * {@return all these nodes, in the order in which they are to be asked}
     *
     * @param named by the present table
     * @param connected the nodes that can be asked without a further connection
     * @param doubted those that were silent, and may have been replaced during that
     */
    static List<NodeAddress> inOrder(Set<NodeAddress> named, Set<NodeAddress> connected, Set<NodeAddress> doubted) {
        List<NodeAddress> all = new ArrayList<>(
                Stream.concat(named.stream(), connected.stream()).collect(Collectors.toSet()));
        Collections.shuffle(all);
        all.sort(Comparator.comparingInt(node -> {
            boolean last = !named.contains(node) || doubted.contains(node);
            return last ? 2 : connected.contains(node) ? 0 : 1;
        }));
        return all;
    }

    /** {@return completes with the table that was applied, if any; what one node says, or fails to say, leaves the next one} */
    private CompletionStage<Optional<SlotTable>> ask(Deque<Supplier<CompletionStage<SlotTable>>> sources) {
        Supplier<CompletionStage<SlotTable>> next = sources.poll();
        if (next == null || cluster.isClosed()) {
            return CompletableFuture.completedStage(Optional.empty());
        }
        long askedNanos = session.now();
        return inTime(CompletableFuture.completedFuture(next).thenCompose(Supplier::get))
                .thenApply(table -> apply(table, askedNanos))
                .exceptionally(failure -> {
                    log.debug("A node has not told the slots of the cluster", failure);
                    return Optional.empty();
                })
                .thenCompose(applied -> applied.isPresent() ? CompletableFuture.completedStage(applied) : ask(sources));
    }

    private Optional<SlotTable> apply(SlotTable table, long askedNanos) {
        boolean applied = cluster.apply(table, askedNanos);
        if (!applied && ofOtherClusters.add(table.by())) {
            log.warn(
                    "Redis at {} is a node of another cluster than the one that this client uses, and is not asked for"
                            + " its locks. If redisUri names nodes of several clusters, that is a mistake; if the cluster"
                            + " was created anew, its clients have to be, too",
                    table.by());
        }
        return applied ? Optional.of(table) : Optional.empty();
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
        return cluster.driver().connect(node).thenCompose(connection -> inTime(queryWithIds(connection, node))
                .whenComplete((table, failure) -> connection.closeAsync()));
    }

    /** {@return the same answer; a failure if there is none within the longest time} */
    private CompletableFuture<SlotTable> inTime(CompletionStage<SlotTable> asked) {
        CompletableFuture<SlotTable> answer = asked.thenApply(table -> table).toCompletableFuture();
        session.after(LONGEST, () -> answer.completeExceptionally(new TimeoutException("no answer to CLUSTER SLOTS")));
        return answer;
    }
}
