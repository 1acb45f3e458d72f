package dev.holdfast.internal.client;

import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.NodeConnection;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes of a cluster for its table, one after the other until one answers: first those that are connected, in
 * random order, then all others that are known, over a connection for this one question.
 *
 * <pre>
 *            soon                     answered by one, or by none
 *   RESTING ------> ASKING --------------------------------------------> PAUSING ---- the pause is over,
 *      ^              | ^                                                  |  |       and soon was called, or
 *      |         soon | | (asks again after the pause)                     |  |       a master is not connected
 *      |              v |                                                  |  +-----> ASKING
 *      |          ASKING AGAIN                                             |
 *      +------------------------------------------ the pause is over ------+
 * </pre>
 *
 * <p>So the table is asked for at most once in a {@link #PAUSE}, however many commands are redirected.
 */
final class TableLookUp {
    private static final Logger log = LoggerFactory.getLogger(TableLookUp.class);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How long a node may take, which may be paused, or cut off. */
    private static final Duration LONGEST = Duration.ofMillis(500);

    private enum State {
        RESTING,
        /** A look-up or the pause after it is in progress. */
        BUSY,
        /** The same, and it is to be repeated. */
        AGAIN
    }

    private final Cluster cluster;
    private final Session session;
    private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);

    TableLookUp(Cluster cluster, Session session) {
        this.cluster = cluster;
        this.session = session;
    }

    /** Looks the table up, now or after the pause, on another thread: the caller may hold any monitor. */
    void soon() {
        State before = state.getAndUpdate(now -> now == State.RESTING ? State.BUSY : State.AGAIN);
        if (before == State.RESTING) {
            cluster.soon(this::ask);
        }
    }

    private void ask() {
        if (cluster.isClosed()) {
            return;
        }
        Deque<Supplier<CompletionStage<SlotTable>>> sources = new ArrayDeque<>();
        List<ClusterNode> connected = new ArrayList<>(cluster.nodes());
        Collections.shuffle(connected);
        for (ClusterNode node : connected) {
            NodeConnection connection = node.connection();
            if (connection != null) {
                sources.add(() -> query(connection, node.address()));
            }
        }
        List<NodeAddress> others = new ArrayList<>(cluster.known());
        Collections.shuffle(others);
        others.forEach(node -> sources.add(() -> connectAndQuery(node)));
        askNext(sources);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void askNext(Deque<Supplier<CompletionStage<SlotTable>>> sources) {
        Supplier<CompletionStage<SlotTable>> next = sources.poll();
        if (next == null || cluster.isClosed()) {
            pause();
            return;
        }
        CompletableFuture<SlotTable> answer = new CompletableFuture<>();
        next.get().whenComplete((table, failure) -> settle(answer, table, failure));
        session.after(LONGEST, () -> answer.completeExceptionally(new TimeoutException("no answer to CLUSTER SLOTS")));
        answer.whenComplete((table, failure) -> {
            if (failure == null) {
                cluster.apply(table);
                pause();
            } else {
                log.debug("A node has not told the slots of the cluster", failure);
                askNext(sources);
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

    private void pause() {
        session.after(PAUSE, () -> {
            boolean again = state.getAndSet(State.BUSY) == State.AGAIN;
            if (again || cluster.isTroubled() || !state.compareAndSet(State.BUSY, State.RESTING)) {
                ask();
            }
        });
    }
}
