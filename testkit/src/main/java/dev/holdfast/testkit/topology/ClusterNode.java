package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisServer;
import java.util.Objects;

/** A node of a {@link RedisCluster}. */
public final class ClusterNode extends DataNode {
    private static final String ANNOUNCED_PORT = "cluster-announce-port";
    private static final String ANNOUNCED_BUS_PORT = "cluster-announce-bus-port";
    /** The distance from a node's port to its bus port. */
    private static final int BUS = 10_000;

    private final String id;

    /** Before Redis 7.0 a node itself names the port that it announced at its start; hence the restart. */
    ClusterNode(RedisServer server, boolean proxied) {
        super(server, proxied, ANNOUNCED_PORT);
        this.id = Objects.requireNonNull(server.command("CLUSTER", "MYID")).toString();
        set(ANNOUNCED_BUS_PORT, Integer.toString(busPort()));
        if (proxied) {
            announce(proxy().port());
            server.restart();
        }
    }

    /** {@return the id by which the nodes know it, the same after a restart} */
    public String id() {
        return id;
    }

    /** {@return the port of the cluster bus, which is not proxied} */
    public int busPort() {
        return server().port() + BUS;
    }

    /** {@return the cluster as this node sees it} */
    public ClusterView view() {
        return ClusterView.parse(
                Objects.requireNonNull(server().command("CLUSTER", "NODES")).toString());
    }

    /**
     * Requests that this replica takes the place of its master, and does not wait for it.
     *
     * @throws dev.holdfast.testkit.RedisReplyException if the node refuses, for instance because it is a master
     */
    public void requestFailover(Failover kind) {
        if (kind == Failover.AGREED) {
            server().command("CLUSTER", "FAILOVER");
        } else {
            server().command("CLUSTER", "FAILOVER", kind.name());
        }
    }

    boolean isClusterOk() {
        return Objects.requireNonNull(server().command("CLUSTER", "INFO"))
                .toString()
                .contains("cluster_state:ok");
    }
}
