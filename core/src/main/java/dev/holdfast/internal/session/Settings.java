package dev.holdfast.internal.session;

import dev.holdfast.HoldfastBuilder;
import dev.holdfast.LeakTracking;
import dev.holdfast.LockListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client, checked and complete. See {@link HoldfastBuilder} for the meaning of each.
 *
 * @param sslOptions null for the JDK's trust store, and no client certificate
 * @param clientResources null for resources of the client's own
 * @param maxHold null for no limit
 * @param awaitReleases whether a blocking release waits for the answer
 * @param interruptOnLoss whether a thread that owns a hold is interrupted when the hold is lost
 */
public record Settings(
        RedisURI redisUri,
        @Nullable SslOptions sslOptions,
        @Nullable ClientResources clientResources,
        Duration watchdogTimeout,
        Duration commandTimeout,
        Duration connectTimeout,
        Duration reconnectDelay,
        Duration driftAllowance,
        @Nullable Duration maxHold,
        boolean awaitReleases,
        boolean interruptOnLoss,
        LeakTracking leakTracking,
        Executor callbackExecutor,
        @Nullable String label,
        String keyPrefix,
        List<LockListener> listeners) {

    public Settings {
        listeners = List.copyOf(listeners);
    }

    /** {@return the Redis to connect to as it was configured: host, port and database, or the path of a socket} */
    String address() {
        String socket = redisUri.getSocket();
        String server = socket == null
                ? redisUri.getHost().toLowerCase(Locale.ROOT) + ":" + redisUri.getPort()
                : "unix:" + socket;
        return server + "/" + redisUri.getDatabase();
    }
}
