package dev.holdfast.internal.session;

import dev.holdfast.LeakTracking;
import dev.holdfast.LockListener;
import dev.holdfast.internal.redis.Replication;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client, checked and complete. See {@code HoldfastBuilder} for the meaning of each.
 *
 * @param redisUris at least one; several name nodes of one cluster
 * @param sslOptions null for the JDK's trust store, and no client certificate
 * @param clientResources null for resources of the client's own
 * @param connectsInBackground whether the client exists before it is connected
 * @param failoverTimeout null for one that depends on what Redis turns out to be
 * @param replicas how many replicas must have a grant; 0 if the locks are not replicated
 * @param replicationTimeout how long to wait for them
 * @param maxHold null for no limit
 * @param awaitReleases whether a blocking release waits for the answer
 * @param interruptOnLoss whether a thread that owns a hold is interrupted when the hold is lost
 * @param time null for the system's
 */
public record Settings(
        List<RedisURI> redisUris,
        @Nullable SslOptions sslOptions,
        @Nullable ClientResources clientResources,
        Duration watchdogTimeout,
        Duration commandTimeout,
        Duration connectTimeout,
        boolean connectsInBackground,
        Duration reconnectDelay,
        @Nullable Duration failoverTimeout,
        int replicas,
        Duration replicationTimeout,
        Duration driftAllowance,
        @Nullable Duration maxHold,
        boolean awaitReleases,
        boolean interruptOnLoss,
        LeakTracking leakTracking,
        Executor callbackExecutor,
        @Nullable String label,
        String keyPrefix,
        @Nullable AdvancedTime time,
        List<LockListener> listeners) {

    /** How long a call without a wait of its own waits by default where another server can take over. */
    private static final Duration FAILOVER = Duration.ofSeconds(15);

    /**
     * The same for one server, in command timeouts: one until a connection without replies is given up, and one to repeat the
     * command on the next.
     */
    private static final int RECONNECT = 2;

    public Settings {
        redisUris = List.copyOf(redisUris);
        listeners = List.copyOf(listeners);
    }

    /** {@return the first of the URIs: all have its credentials and options} */
    public RedisURI redisUri() {
        return redisUris.get(0);
    }

    /**
     * {@return how long a call about a hold, or one that waits for a lock without limit, waits for Redis to execute its
     * command} This is the failover timeout.
     *
     * @param failsOver whether another server takes over if one fails
     */
    public Duration outage(boolean failsOver) {
        if (failoverTimeout != null) {
            return failoverTimeout;
        }
        Duration reconnect = commandTimeout.multipliedBy(RECONNECT);
        return failsOver && FAILOVER.compareTo(reconnect) > 0 ? FAILOVER : reconnect;
    }

    /** {@return what the links do for replicated locks; null if the locks are not replicated} */
    public @Nullable Replication replication() {
        return replicas == 0 ? null : new Replication(replicas, Math.max(1, replicationTimeout.toMillis()));
    }

    /** {@return the Redis to connect to as it was configured: addresses and database, or the path of a socket} */
    String address() {
        return ServerUris.addresses(redisUris) + "/" + redisUri().getDatabase();
    }
}
