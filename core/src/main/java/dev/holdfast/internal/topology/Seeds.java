package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.session.Blocking;
import io.lettuce.core.RedisURI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a cluster that a user has named: all are connected to at the same time, and the first one is used. The
 * others are asked whether they are of the same cluster: if clients used one or the other cluster by chance, they would
 * not exclude each other.
 */
final class Seeds {
    private static final Logger log = LoggerFactory.getLogger(Seeds.class);

    private static final String RULE = "redisUri must name nodes of one cluster";

    private final Function<RedisURI, CompletionStage<NodeConnection>> driver;
    private final List<RedisURI> uris;
    private final ConnectFailures failures;
    private final CompletableFuture<SeedNode> first = new CompletableFuture<>();

    /** What each node says about the slots, by its address for messages; that of the first one stays incomplete. */
    private final Map<String, CompletableFuture<SlotTable>> tables = new LinkedHashMap<>();

    /** @param driver connects to a node */
    Seeds(Function<RedisURI, CompletionStage<NodeConnection>> driver, List<RedisURI> uris) {
        this.driver = driver;
        this.uris = uris;
        this.failures = new ConnectFailures(uris.stream().map(Opening::place).toList());
    }

    /** {@return the first node that answers} */
    SeedNode firstToAnswer(Opening opening) {
        for (RedisURI uri : uris) {
            connect(uri, opening, tables.computeIfAbsent(Opening.place(uri), at -> new CompletableFuture<>()));
        }
        opening.begun();
        return opening.await(first, this::noneAnswers);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void connect(RedisURI uri, Opening opening, CompletableFuture<SlotTable> table) {
        driver.apply(uri).whenComplete((connection, failure) -> {
            if (failure == null) {
                use(new SeedNode(uri, connection, opening), connection, table);
                return;
            }
            table.completeExceptionally(failure);
            if (failures.add(Opening.place(uri), Opening.why(uri, failure))) {
                first.completeExceptionally(failure);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is closed with the driver
    private void use(SeedNode node, NodeConnection connection, CompletableFuture<SlotTable> table) {
        if (!first.complete(node)) {
            query(node, connection)
                    .whenComplete((said, failure) -> connection.closeAsync().whenComplete((closed, unclosed) -> {
                        if (failure == null) {
                            table.complete(said);
                        } else {
                            table.completeExceptionally(failure);
                        }
                    }));
        }
    }

    /** {@return the table of a node, which is empty if it is of no cluster} */
    private static CompletionStage<SlotTable> query(SeedNode node, NodeConnection connection) {
        NodeAddress address = node.address();
        return TableLookUp.query(connection, address).exceptionally(failure -> {
            if (Opening.reason(Opening.root(failure)).contains("cluster support disabled")) {
                return SlotTable.read(List.of(), address);
            }
            throw failure instanceof CompletionException same ? same : new CompletionException(failure);
        });
    }

    private LockException noneAnswers(Throwable why) {
        return new LockException("cannot connect to Redis, no node of redisUri answers: " + failures, why);
    }

    /**
     * Refuses nodes of another cluster, or of none. Those that answer later than {@link LookUp#LONGEST} are not waited
     * for: they may be down, and are logged if they prove to be such nodes.
     *
     * @param used the first node, whose table this is
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the table is logged, and a failure means nothing
    void requireOneCluster(SeedNode used, SlotTable table) {
        tables.remove(used.place());
        CompletableFuture<?>[] all = tables.values().toArray(CompletableFuture[]::new);
        Blocking.atMost(CompletableFuture.allOf(all), LookUp.LONGEST);
        tables.forEach((place, other) -> {
            if (!other.isDone()) {
                other.thenAccept(late -> warnUnlessOfOne(used, table, place, late));
            } else if (!other.isCompletedExceptionally() && !other.join().isOfSameClusterAs(table)) {
                throw new LockException(RULE + ": " + stranger(used, place), null);
            }
        });
    }

    private static void warnUnlessOfOne(SeedNode used, SlotTable table, String place, SlotTable late) {
        if (!late.isOfSameClusterAs(table)) {
            log.warn("{}: {}", RULE, stranger(used, place));
        }
    }

    private static String stranger(SeedNode used, String place) {
        return "Redis at " + place + " is of another one than Redis at " + used.place()
                + ", or of none; clients that connect to the one do not exclude those of the other";
    }
}
