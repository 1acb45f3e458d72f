package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server that holds data, as one of several, and the proxy in front of it if the topology is proxied. {@link
 * #server()} kills, restarts, pauses and queries it; this type controls what it announces and which master it replicates.
 */
public sealed class DataNode implements AutoCloseable permits ClusterNode {
    /** A user that no server has. */
    private static final String NOBODY = "cut-off";

    private final RedisServer server;
    private final @Nullable FaultProxy proxy;
    private final String announcedPortSetting;
    private volatile int announcedPort;
    private List<String> credentials = List.of();

    DataNode(RedisServer server, boolean proxied, String announcedPortSetting) {
        this.server = server;
        this.proxy = proxied ? FaultProxy.inFrontOf(server) : null;
        this.announcedPortSetting = announcedPortSetting;
        this.announcedPort = server.port();
    }

    /** {@return the server itself, on the port that it listens on} */
    public final RedisServer server() {
        return server;
    }

    /**
     * {@return the proxy in front of the server} Replicas of this node and sentinels connect through it too; {@link
     * dev.holdfast.testkit.ProxiedConnection#isReplication()} distinguishes replicas from clients.
     *
     * @throws IllegalStateException if the topology was started without proxies
     */
    public final FaultProxy proxy() {
        if (proxy == null) {
            throw new IllegalStateException(this + " was started without a proxy");
        }
        return proxy;
    }

    /** {@return the port that the server announces: its own, its proxy's, or another one that a test has set} */
    public final int announcedPort() {
        return announcedPort;
    }

    /** {@return the address that the server announces, as a URI with its password} */
    public final String uri() {
        return server.uriThrough(announcedPort);
    }

    final boolean isProxied() {
        return proxy != null;
    }

    /** Announces another port, also after a restart. The server's next message to the others has it. */
    final void announce(int port) {
        set(announcedPortSetting, Integer.toString(port));
        server.command("CONFIG", "REWRITE");
        announcedPort = port;
    }

    final void set(String name, String value) {
        server.command("CONFIG", "SET", name, value);
    }

    private String setting(String name) {
        List<?> reply = (List<?>) Objects.requireNonNull(server.command("CONFIG", "GET", name));
        return String.valueOf(reply.get(1));
    }

    /** {@return whether the server replies: it runs and is not paused} */
    final boolean isAnswering() {
        return server.isRunning() && !server.isPaused();
    }

    /** {@return whether the server is a replica, by its own account} */
    public final boolean isReplica() {
        return server.info("role").equals("slave");
    }

    /**
     * Ends the replica's connection to its master and refuses new ones, until {@link #restoreReplication()}: also
     * across a restart, a failover, and a change of its master. What the master has sent before is still applied. When
     * this returns, the link is down by the replica's own account.
     *
     * <p>The replica fails to authenticate at its master; so nothing else is affected, neither the cluster bus nor the
     * sentinels. A replica whose link has been down for long is not promoted: in a cluster for more than ten node
     * timeouts and ten seconds, under sentinels for more than ten times {@code down-after-milliseconds} before the
     * master was down.
     *
     * @throws IllegalStateException if the server is a master, or its replication is cut already
     */
    public final void cutReplication() {
        if (!isReplica() || !credentials.isEmpty()) {
            throw new IllegalStateException(this + " must be a replica whose replication is not cut");
        }
        credentials = List.of(setting("masteruser"), setting("masterauth"));
        authenticateAs(List.of(NOBODY, NOBODY));
        server.command("CLIENT", "KILL", "TYPE", "master");
        Waiting.until(
                this + " has lost its master",
                () -> server.info("master_link_status").equals("down") ? List.of() : List.of("the link is up"));
    }

    /**
     * Lets the server replicate again; it connects within about a second.
     *
     * @throws IllegalStateException if its replication is not cut
     */
    public final void restoreReplication() {
        if (credentials.isEmpty()) {
            throw new IllegalStateException("the replication of " + this + " must be cut before it is restored");
        }
        authenticateAs(credentials);
        credentials = List.of();
    }

    private void authenticateAs(List<String> userAndPassword) {
        set("masteruser", userAndPassword.get(0));
        set("masterauth", userAndPassword.get(1));
        server.command("CONFIG", "REWRITE");
    }

    /** What this replica still lacks to have all that {@code master} has written; empty if it lacks nothing. */
    final List<String> lacking(DataNode master) {
        String written = master.server.info("master_repl_offset");
        String status = server.info("master_link_status");
        String applied = server.info("slave_repl_offset");
        boolean inSync = server.info("master_port").equals(Integer.toString(master.announcedPort))
                && status.equals("up")
                && Long.parseLong(applied) >= Long.parseLong(written);
        return inSync
                ? List.of()
                : List.of(this + ": link " + status + " to port " + server.info("master_port") + ", offset " + applied
                        + " of " + written);
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
        server.close();
    }

    @Override
    public String toString() {
        return "node " + server.port();
    }
}
