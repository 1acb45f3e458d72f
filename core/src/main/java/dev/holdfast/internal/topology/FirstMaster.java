package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.TlsFailure;
import dev.holdfast.internal.redis.NodeAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Connects a new client to a master of its cluster, at the address that the cluster announces: to one after the other
 * until one is connected, since others may be down. One that is silent delays the next one by {@link LookUp#LONGEST}.
 */
final class FirstMaster {
    private final Cluster cluster;
    private final Queue<NodeAddress> untried;
    private final ConnectFailures failures;
    private final CompletableFuture<@Nullable Void> connected = new CompletableFuture<>();

    FirstMaster(Cluster cluster, List<NodeAddress> masters) {
        this.cluster = cluster;
        this.untried = new ConcurrentLinkedQueue<>(masters);
        this.failures =
                new ConnectFailures(masters.stream().map(NodeAddress::toString).toList());
    }

    /** {@return completes when a master is connected; fails with {@link LockException} if none can be} */
    CompletionStage<?> connect() {
        connectNext();
        return connected;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void connectNext() {
        NodeAddress next = connected.isDone() || cluster.isClosed() ? null : untried.poll();
        if (next == null) {
            return;
        }
        CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
        over.thenRun(this::connectNext);
        cluster.node(next).use().whenComplete((up, failure) -> {
            if (failure == null) {
                connected.complete(null);
            } else if (failures.add(next.toString(), cluster.why(next, failure))) {
                connected.completeExceptionally(cannotConnect(failure));
            }
            over.complete(null);
        });
        cluster.session().after(LookUp.LONGEST, () -> over.complete(null));
    }

    /** {@return the exception for a client that could not be connected to any master} */
    LockException cannotConnect(Throwable why) {
        String reasons = failures.toString();
        return new LockException(
                "cannot connect to any master at the addresses that the cluster announces: " + reasons + hint(reasons),
                why);
    }

    /** {@return what a user can do about a node that cannot be connected to for this reason} */
    static String hint(String why) {
        if (why.contains("NOAUTH") || why.contains("WRONGPASS")) {
            return "; all nodes of a cluster need the credentials that redisUri has";
        }
        if (why.contains(TlsFailure.OTHER_HOST)) {
            return "; the certificate of each node needs the address that the node announces: an IP address, unless it"
                    + " is configured with cluster-announce-hostname and cluster-preferred-endpoint-type hostname";
        }
        if (why.contains("SUBSCRIBE") || why.contains("HELLO")) {
            return "";
        }
        return "; clients need addresses that they can reach, see cluster-announce-ip";
    }
}
