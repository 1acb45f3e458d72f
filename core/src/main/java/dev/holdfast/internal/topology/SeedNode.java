package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.session.LockExceptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The server that a client is connected to first, as one that the user named. It is asked what Redis is: one server, or
 * a cluster.
 */
final class SeedNode {
    private final RedisURI uri;
    private final NodeConnection connection;
    private final Opening opening;

    SeedNode(RedisURI uri, NodeConnection connection, Opening opening) {
        this.uri = uri;
        this.connection = connection;
        this.opening = opening;
    }

    NodeConnection connection() {
        return connection;
    }

    /** {@return its address, for messages} */
    String place() {
        return Opening.place(uri);
    }

    /**
     * {@return its address in the cluster}
     *
     * @throws LockException if it has none
     */
    NodeAddress address() {
        return addressInCluster(uri);
    }

    /** As {@link #address}, of a node at this URI. */
    static NodeAddress addressInCluster(RedisURI uri) {
        if (uri.getSocket() != null) {
            throw new LockException(
                    "Redis at " + Opening.place(uri)
                            + " is a node of a cluster, which is not used over a Unix domain socket",
                    null);
        }
        return new NodeAddress(uri.getHost(), uri.getPort());
    }

    private <T extends @Nullable Object> T await(CompletionStage<T> answer) {
        return opening.await(answer, uri);
    }

    /** A node that reveals it in no way is taken for a server that is alone, and redirects commands if it is not. */
    boolean isInCluster() {
        try {
            return await(connection.info("cluster")).contains("cluster_enabled:1");
        } catch (LockException e) {
            throwUnlessRefused(e);
            return is("mode", "cluster");
        }
    }

    /** Throws it unless the server replied, with an error: it lacks the command, or does not allow it to the user. */
    private static void throwUnlessRefused(LockException failed) {
        if (!(failed.getCause() instanceof RedisCommandExecutionException)) {
            throw failed;
        }
    }

    /** {@return whether the server says that this property of it has this value; false if it says nothing of itself} */
    private boolean is(String property, Object value) {
        List<Object> server;
        try {
            server = await(connection.hello());
        } catch (LockException e) {
            throwUnlessRefused(e);
            return false;
        }
        int at = server.indexOf(property) + 1;
        return at > 0 && server.get(at).equals(value);
    }

    /** {@return what it says about the slots; at least one of them has a master} */
    SlotTable slots() {
        SlotTable table;
        try {
            table = SlotTable.read(await(connection.clusterSlots()), address());
        } catch (LockException e) {
            throw e.getCause() instanceof RedisCommandExecutionException refusal
                    ? new LockException(
                            "Redis at " + place() + " is a node of a cluster, and does not say which slots are where;"
                                    + " that needs the right +cluster|slots: " + Opening.reason(refusal),
                            refusal)
                    : e;
        }
        if (table.isEmpty()) {
            throw new LockException(
                    "Redis at " + place() + " is a node of a cluster in which no node has any slots", null);
        }
        return table;
    }

    /** Refuses a cluster with sharded channels whose messages the driver would lose, as it does without RESP3. */
    void requireReceivable() {
        try {
            await(connection.countSharded());
        } catch (LockException e) {
            throwUnlessRefused(e);
            return;
        }
        if (!is("proto", 3L)) {
            throw new LockException(
                    "the cluster of Redis at " + place()
                            + " has sharded channels, which need the protocol RESP3, and does not speak that: is"
                            + " there a proxy before it?",
                    null);
        }
    }

    /**
     * Refuses a replica: it may have the keys of all locks, and can grant none of them. Refuses a sentinel, too. A server
     * that does not reveal its role refuses the commands of locks instead.
     */
    void requireMaster() {
        if (is("role", "replica")) {
            throw new LockException(
                    "Redis at " + place() + " is a replica, and locks need the master: redisUri must name that, or"
                            + " sentinels that know it",
                    null);
        }
        if (is("mode", "sentinel")) {
            throw new LockException(
                    place() + " is a sentinel, and not a Redis that has locks: redisUri must name the sentinels and"
                            + " their master, as in redis-sentinel://host:26379/0#name",
                    null);
        }
    }

    /**
     * Refuses a server that does not say what its replicas have.
     *
     * @throws LockException if the command is missing, or the right to it
     */
    void requireWait() {
        try {
            await(connection.replicasThatConfirm());
        } catch (LockException e) {
            if (e.getCause() instanceof RedisCommandExecutionException refusal
                    && LockExceptions.isOfCommand(Opening.reason(refusal))) {
                throw new LockException(
                        "Redis at " + place()
                                + " does not say which replicas have a lock, and replicated locks need that:"
                                + " the command and the right +wait: " + Opening.reason(refusal),
                        refusal);
            }
            throwUnlessRefused(e); // a replica of a cluster refuses it, and its master does not
        }
    }

    void close() {
        await(connection.closeAsync());
    }
}
