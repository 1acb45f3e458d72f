package dev.holdfast;

import dev.holdfast.watchdog.LeaseTerms;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sets a client up. Only the URI is required. Each value is checked when it is set; how they relate is checked by
 * {@link #build()}. Not safe for use by several threads.
 */
public final class HoldfastBuilder {
    private static final Duration LONGEST_DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LONGEST_DEFAULT_RECONNECT_DELAY = Duration.ofMillis(500);

    private static final Duration LEAST_DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofHours(1);

    private @Nullable RedisURI redisUri;
    private @Nullable SslOptions sslOptions;
    private @Nullable ClientResources clientResources;
    private Duration watchdogTimeout = Duration.ofSeconds(30);
    private @Nullable Duration commandTimeout;
    private @Nullable Duration connectTimeout;
    private @Nullable Duration reconnectDelay;
    private @Nullable Duration driftAllowance;
    private @Nullable Duration maxHold;
    private boolean awaitReleases = true;
    private boolean interruptOnLoss;
    private LeakTracking leakTracking = LeakTracking.OFF;
    private Executor callbackExecutor = new CompletableFuture<Void>().defaultExecutor();
    private @Nullable String label;
    private String keyPrefix = "";
    private final List<LockListener> listeners = new ArrayList<>();

    HoldfastBuilder() {}

    /**
     * Which Redis. Required, here or by {@link #redisUri(RedisURI)}.
     *
     * @param uri {@code redis://[[user:]password@]host[:port][/database]}, {@code rediss://} for TLS,
     *     {@code redis-socket:///path} for a unix socket
     * @throws IllegalArgumentException if the URI is malformed, or names a Sentinel, which is not supported for now
     */
    public HoldfastBuilder redisUri(String uri) {
        Objects.requireNonNull(uri, "redisUri must not be null");
        RedisURI parsed;
        try {
            parsed = RedisURI.create(uri);
        } catch (RuntimeException e) {
            throw malformed(e);
        }
        return redisUri(parsed);
    }

    /** A message of the parser's repeats what it was given, which may have a password: neither it nor its cause goes further. */
    private static IllegalArgumentException malformed(RuntimeException failure) {
        String rule = "redisUri must look like redis://host:6379, rediss://host:6379 or redis-socket:///path: ";
        if (failure.getCause() instanceof URISyntaxException syntax) {
            return new IllegalArgumentException(rule + syntax.getReason() + " at index " + syntax.getIndex());
        }
        return new IllegalArgumentException(rule + failure.getMessage(), failure);
    }

    /**
     * Which Redis, as Lettuce says it: with credentials, TLS options, a database or a unix socket.
     *
     * @throws IllegalArgumentException if the URI names a Sentinel, which is not supported for now
     */
    public HoldfastBuilder redisUri(RedisURI uri) {
        Objects.requireNonNull(uri, "redisUri must not be null");
        if (!uri.getSentinels().isEmpty()) {
            throw new IllegalArgumentException(
                    "redisUri must name a standalone Redis, was a Sentinel's: Sentinel is not supported for now");
        }
        redisUri = uri;
        return this;
    }

    /**
     * Which certificates to trust, and which to show: a trust store, and a key store for a server that wants to know its
     * clients. For both connections; the stores are read again for each connection that is made. Only with a URI that uses TLS.
     * Default: what the JDK trusts, and no certificate of the client's own.
     */
    public HoldfastBuilder sslOptions(SslOptions options) {
        sslOptions = Objects.requireNonNull(options, "sslOptions must not be null");
        return this;
    }

    /**
     * Event loops to share with other Lettuce clients. They are not shut down with this client, and best shut down after it: a client
     * whose resources are gone can be closed, but not used. Default: event loops of the client's own.
     */
    public HoldfastBuilder clientResources(ClientResources resources) {
        clientResources = Objects.requireNonNull(resources, "clientResources must not be null");
        return this;
    }

    /**
     * The lease of a hold without an explicit one. It is renewed every third of this; a dead holder's lock is free after it.
     * Default 30 s, at least 100 ms.
     */
    public HoldfastBuilder watchdogTimeout(Duration timeout) {
        watchdogTimeout = Arguments.positive("watchdogTimeout", timeout);
        return this;
    }

    /**
     * How long Redis may be silent: after it, the connection counts as dead, and who has no deadline of his own fails.
     * Default 3 s, or a third of the watchdog timeout if that is less; at most half of the watchdog timeout.
     */
    public HoldfastBuilder commandTimeout(Duration timeout) {
        commandTimeout = Arguments.positive("commandTimeout", timeout);
        return this;
    }

    /**
     * How long {@link #build()} may take to connect: the sockets, TLS, the handshakes and the first questions together.
     * Default 10 s, or the command timeout if that is more; between 1 ms and 1 h.
     *
     * <p>An attempt to reconnect is bounded as well, so that one that hangs does not keep a client from making another while
     * its leases run: the first one by the command timeout, each further one that follows on such an end by a command timeout
     * more, up to this.
     */
    public HoldfastBuilder connectTimeout(Duration timeout) {
        connectTimeout = Arguments.positive("connectTimeout", timeout);
        return this;
    }

    /**
     * How long to wait at most before the next try to reconnect; grows up to this, with jitter. Default 500 ms, or a tenth
     * of the watchdog timeout if that is less; at most a third of the watchdog timeout.
     */
    public HoldfastBuilder reconnectDelay(Duration longest) {
        reconnectDelay = Arguments.positive("reconnectDelay", longest);
        return this;
    }

    /**
     * How far Redis's clock may run ahead of ours during one watchdog timeout; shorter and longer leases are cut in
     * proportion. Default a hundredth of the watchdog timeout, at most a quarter.
     */
    public HoldfastBuilder driftAllowance(Duration allowance) {
        driftAllowance = Arguments.notNegative("driftAllowance", allowance);
        return this;
    }

    /**
     * How long after its acquire a hold is still renewed; then it runs out, and is lost. Default: for as long as it is held.
     * At least the watchdog timeout.
     */
    public HoldfastBuilder maxHold(Duration longest) {
        maxHold = Arguments.positive("maxHold", longest);
        return this;
    }

    /**
     * Whether {@link DistributedLock#unlock()} and {@link Lease#close()} wait for Redis's answer. Default true. Without it
     * they return as soon as the release is on its way, which nearly halves what a short hold costs its thread. A lock that
     * is known not to be held is still refused with an exception; but a lease that turns out to have been lost only with the
     * answer is told to the listeners and to the handle alone, and a release that Redis refused or did not answer is logged.
     */
    public HoldfastBuilder awaitReleases(boolean await) {
        awaitReleases = await;
        return this;
    }

    /**
     * Whether a thread is interrupted when it owns a hold that is lost, so that it need not look by itself. Default false.
     * It is about holds that were entered by blocking calls of one thread alone: of an async call or a {@link Lease} it is
     * not known which thread works under it. It is an interrupt like any other: a blocking call that heeds interrupts ends
     * by it, this library's too; what does not heed them goes on, and {@link DistributedLock#lock()} returns with the flag
     * still set. An explicit lease that runs out is lost as well.
     *
     * <p>A thread is interrupted once for a hold, and not once the unlock of that has returned or thrown: what it does next
     * is safe from it. To be sure of that, an unlock waits for an earlier one of the same thread and lock, even without
     * {@link #awaitReleases}. A flag that was set before the unlock stays set, for nobody can know whether somebody else has
     * set it as well; the executors of {@code java.util.concurrent} clear it before their next task. A thread that never
     * unlocks stays the owner, whatever it does next.
     */
    public HoldfastBuilder interruptOnLoss(boolean interrupt) {
        interruptOnLoss = interrupt;
        return this;
    }

    /**
     * Whether a {@link Lease} that was dropped without {@code close} is known by where it was acquired. Default
     * {@link LeakTracking#OFF}: a warning tells of the lease, not of the place.
     */
    public HoldfastBuilder leakTracking(LeakTracking level) {
        leakTracking = Objects.requireNonNull(level, "leakTracking must not be null");
        return this;
    }

    /**
     * Where futures are completed and listeners are called. Default: the default executor of {@link CompletableFuture}, or,
     * where that makes a thread for each task, threads of the client's own that are reused. A callback that blocks occupies a
     * thread of the executor, and delays no other that the executor has a thread for. If it rejects a task while it has
     * none of the client's, a lock that was to be handed over by it is released.
     */
    public HoldfastBuilder callbackExecutor(Executor executor) {
        callbackExecutor = Objects.requireNonNull(executor, "callbackExecutor must not be null");
        return this;
    }

    /**
     * A name for people: stands beside the client's id in logs and messages, and never in its place. Who
     * {@linkplain DistributedLock#inspect() looks} at a lock that the client has sees it too. Default none.
     */
    public HoldfastBuilder label(String text) {
        Objects.requireNonNull(text, "label must not be null");
        label = Arguments.encodable("label", text);
        return this;
    }

    /** Stands before every lock's name in Redis. Default none. */
    public HoldfastBuilder keyPrefix(String prefix) {
        Objects.requireNonNull(prefix, "keyPrefix must not be null");
        keyPrefix = Arguments.encodable("keyPrefix", prefix);
        return this;
    }

    /**
     * Adds a listener, which is told what happens to this client's locks and connections, beside those added before. Default:
     * none, which costs nothing.
     */
    public HoldfastBuilder addListener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
        return this;
    }

    /**
     * Connects. Waits for Redis, at most for the {@linkplain #connectTimeout connect timeout}; an interrupt is kept for later.
     *
     * @return a client that is connected
     * @throws IllegalStateException if no URI was set
     * @throws IllegalArgumentException if the settings do not fit each other
     * @throws LockException if Redis cannot be reached, refuses the credentials, or is a cluster; if the server's certificate is
     *     not trusted, the server refuses this client's, or the stores of {@link #sslOptions} cannot be read
     */
    public Holdfast build() {
        return Connections.open(settings());
    }

    Settings settings() {
        RedisURI uri = redisUri;
        if (uri == null) {
            throw new IllegalStateException("redisUri must be set");
        }
        Duration drift = driftAllowance == null ? watchdogTimeout.dividedBy(100) : driftAllowance;
        checkLeaseTerms(drift);
        Duration command = commandTimeout == null
                ? shorter(LONGEST_DEFAULT_COMMAND_TIMEOUT, watchdogTimeout.dividedBy(3))
                : commandTimeout;
        requireAtMost("commandTimeout", command, 2, "a renewal without answer must leave time for another");
        Duration connect = connectTimeout == null
                ? shorter(LONGEST_CONNECT_TIMEOUT, longer(LEAST_DEFAULT_CONNECT_TIMEOUT, command))
                : requireConnectTimeout(connectTimeout);
        Duration reconnect = reconnectDelay == null
                ? shorter(LONGEST_DEFAULT_RECONNECT_DELAY, watchdogTimeout.dividedBy(10))
                : reconnectDelay;
        requireAtMost("reconnectDelay", reconnect, 3, "a lease must outlive a lost connection");
        if (sslOptions != null && !uri.isSsl()) {
            throw new IllegalArgumentException("sslOptions need a redisUri that uses TLS, such as rediss://host:6379,"
                    + " was one without: nothing would be encrypted");
        }
        return new Settings(
                uri,
                sslOptions,
                clientResources,
                watchdogTimeout,
                command,
                connect,
                reconnect,
                drift,
                maxHold,
                awaitReleases,
                interruptOnLoss,
                leakTracking,
                callbackExecutor,
                label,
                keyPrefix,
                listeners);
    }

    private void checkLeaseTerms(Duration drift) {
        LeaseTerms terms = LeaseTerms.of(watchdogTimeout).withDriftAllowance(drift);
        if (maxHold != null) {
            terms.withMaxHold(maxHold);
        }
    }

    private void requireAtMost(String name, Duration value, int part, String reason) {
        if (value.compareTo(watchdogTimeout.dividedBy(part)) > 0) {
            throw new IllegalArgumentException(name + " must be at most 1/" + part + " of watchdogTimeout, was " + value
                    + " of " + watchdogTimeout + ": " + reason);
        }
    }

    private static Duration requireConnectTimeout(Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST_CONNECT_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "connectTimeout must be between 1 ms and " + LONGEST_CONNECT_TIMEOUT + ", was " + value);
        }
        return value;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
