package dev.holdfast.spring.autoconfigure;

import dev.holdfast.LeakTracking;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties {@code holdfast.*} of a client. What is not set has the default of
 * {@link dev.holdfast.HoldfastBuilder}.
 *
 * @param redisUri Redis to use for locks, if it is not that of 'spring.data.redis': one server, nodes of a cluster or
 *     sentinels.
 * @param sslBundle name of the SSL bundle with the certificates for 'holdfast.redis-uri'.
 * @param watchdogTimeout lease of holds that are renewed. They are renewed every third of it.
 * @param commandTimeout how long to wait for a reply of Redis.
 * @param connect whether the application starts only once the client is connected, or connects in the background.
 * @param connectTimeout how long connecting may take when the application starts.
 * @param reconnectDelay longest delay before the next attempt to reconnect.
 * @param failoverTimeout how long a call without a limit, or about a hold, waits while Redis does not execute its command.
 * @param driftAllowance how far the clock of Redis may run ahead during one watchdog timeout.
 * @param maxHold how long a hold is renewed at most.
 * @param awaitReleases whether releasing a lock waits for the reply of Redis.
 * @param interruptOnLoss whether a thread is interrupted when it loses a lock.
 * @param leakTracking which leases record where they were acquired, for the warning about those that were never closed.
 * @param label name of this client that others see beside the locks it holds. Default is the name of the application.
 * @param keyPrefix prefix of the name of every lock in Redis.
 * @param shutdownGrace how long to wait, when the application stops, for locks that are still held.
 * @param shareClientResources whether to use the event loops of the application's Lettuce clients.
 * @param replicated locks that are granted only when replicas have them.
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @Nullable String redisUri,
        @Nullable String sslBundle,
        @Nullable Duration watchdogTimeout,
        @Nullable Duration commandTimeout,
        @DefaultValue("eager") Connect connect,
        @Nullable Duration connectTimeout,
        @Nullable Duration reconnectDelay,
        @Nullable Duration failoverTimeout,
        @Nullable Duration driftAllowance,
        @Nullable Duration maxHold,
        @DefaultValue("true") boolean awaitReleases,
        @DefaultValue("false") boolean interruptOnLoss,
        @DefaultValue("off") LeakTracking leakTracking,
        @Nullable String label,
        @Nullable String keyPrefix,
        @DefaultValue("5s") Duration shutdownGrace,
        @DefaultValue("false") boolean shareClientResources,
        @Nullable Replicated replicated) {

    /** @throws IllegalArgumentException if the grace period is negative; all else is checked by the builder */
    public HoldfastProperties {
        if (shutdownGrace.isNegative()) {
            throw new IllegalArgumentException(
                    "holdfast.shutdown-grace must not be negative, was " + shutdownGrace.toMillis() + "ms");
        }
    }

    /** {@return whether the URI is set; an empty one, such as of an environment variable without value, is not} */
    boolean hasRedisUri() {
        return StringUtils.hasText(redisUri);
    }

    /** When the client connects. */
    public enum Connect {
        /** Before the application has started, which it does not without Redis. */
        EAGER,
        /** As soon as Redis can be reached; until then calls wait or fail, as in an outage. */
        BACKGROUND
    }

    /**
     * Locks that survive the loss of a master.
     *
     * @param replicas number of replicas that must have a grant.
     * @param timeout how long to wait for them. At most half of the command timeout.
     */
    public record Replicated(
            int replicas, @DefaultValue("500ms") Duration timeout) {}
}
