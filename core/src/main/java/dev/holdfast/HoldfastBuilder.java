package dev.holdfast;

import dev.holdfast.internal.session.AdvancedTime;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.internal.view.ConnectedClient;
import dev.holdfast.watchdog.LeaseTerms;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Configures and connects a client. Only the URI is required. Each value is checked when it is set; relations between
 * values are checked by {@link #build()}. Not safe for use by several threads.
 */
public final class HoldfastBuilder {
    private static final Duration LONGEST_DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LONGEST_DEFAULT_RECONNECT_DELAY = Duration.ofMillis(500);

    private static final Duration LEAST_DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofHours(1);

    private List<RedisURI> redisUris = List.of();
    private @Nullable SslOptions sslOptions;
    private @Nullable ClientResources clientResources;
    private Duration watchdogTimeout = Duration.ofSeconds(30);
    private @Nullable Duration commandTimeout;
    private @Nullable Duration connectTimeout;
    private boolean connectsInBackground;
    private @Nullable Duration reconnectDelay;
    private @Nullable Duration failoverTimeout;
    private int replicas;
    private Duration replicationTimeout = Duration.ZERO;
    private @Nullable Duration driftAllowance;
    private @Nullable Duration maxHold;
    private boolean awaitReleases = true;
    private boolean interruptOnLoss;
    private LeakTracking leakTracking = LeakTracking.OFF;
    private Executor callbackExecutor = new CompletableFuture<Void>().defaultExecutor();
    private @Nullable String label;
    private String keyPrefix = "";
    private @Nullable AdvancedTime time;
    private final List<LockListener> listeners = new ArrayList<>();

    HoldfastBuilder() {}

    /**
     * The Redis to connect to: a server, any nodes of a cluster, which name the others, or the sentinels of a master.
     * Required, here or by {@link #redisUri(RedisURI)}.
     *
     * <p>Of several nodes of a cluster, the first that answers is used, and all nodes are connected to with the same
     * credentials and options. The password in the URI of sentinels is that of Redis; sentinels with a password of
     * their own need {@link #redisUri(RedisURI)}.
     *
     * @param uri {@code redis://[[user:]password@]host[:port][/database]}, {@code rediss://} for TLS;
     *     {@code redis://host:port,host:port} for several nodes of one cluster;
     *     {@code redis-sentinel://[[user:]password@]host[:port],host[:port][/database]#name} for sentinels that know a
     *     master by this name, {@code rediss-sentinel://} for TLS; {@code redis-socket:///path} for a unix socket. The
     *     characters {@code @ / ? #} in a user name or a password must be percent-encoded
     * @throws IllegalArgumentException if the URI is malformed, or names sentinels and no master
     */
    public HoldfastBuilder redisUri(String uri) {
        Objects.requireNonNull(uri, "redisUri must not be null");
        List<RedisURI> parsed;
        try {
            parsed = ServerUris.parse(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("redisUri must look like redis://host:6379, rediss://host:6379,"
                    + " redis://host:7000,host:7001, redis-sentinel://host:26379,host:26379/0#name or"
                    + " redis-socket:///path: " + e.getMessage());
        }
        parsed.forEach(HoldfastBuilder::requireMasterName);
        redisUris = parsed;
        return this;
    }

    /**
     * The Redis to connect to, as a Lettuce URI: with credentials, TLS options, a database, a unix socket, or sentinels.
     * All nodes of a cluster, and all servers that sentinels name, are connected to with these credentials and options.
     * The sentinels are connected to with the credentials of {@link RedisURI#getSentinels() their own URIs}, and with
     * the TLS options of this one. A {@code RedisCredentialsProvider} is asked at each connect, so that passwords and tokens
     * can be rotated.
     *
     * @throws IllegalArgumentException if the URI names sentinels and no master
     */
    public HoldfastBuilder redisUri(RedisURI uri) {
        Objects.requireNonNull(uri, "redisUri must not be null");
        requireMasterName(uri);
        redisUris = List.of(uri);
        return this;
    }

    private static void requireMasterName(RedisURI uri) {
        String name = uri.getSentinelMasterId();
        if (ServerUris.isSentinel(uri) && (name == null || name.isEmpty())) {
            throw new IllegalArgumentException("redisUri must name the master that the sentinels are asked for, as in"
                    + " redis-sentinel://host:26379/0#name, was " + ServerUris.address(uri));
        }
    }

    /**
     * Which certificates to trust and which to present: a trust store, and a key store for a server that authenticates
     * its clients. They apply to every connection; the stores are read again for each new connection. Only with a URI
     * that uses TLS. Default: the JDK's trust store, and no client certificate.
     */
    public HoldfastBuilder sslOptions(SslOptions options) {
        sslOptions = Objects.requireNonNull(options, "sslOptions must not be null");
        return this;
    }

    /**
     * Event loops to share with other Lettuce clients. This client does not shut them down; they should be shut down
     * after it, as a client whose resources were shut down can still be closed, but not used. Default: event loops of
     * the client's own.
     */
    public HoldfastBuilder clientResources(ClientResources resources) {
        clientResources = Objects.requireNonNull(resources, "clientResources must not be null");
        return this;
    }

    /**
     * The lease of a hold that was acquired without an explicit lease. It is renewed every third of this time; a lock
     * whose owner died is free after at most this time. Default 30 s, at least 100 ms.
     */
    public HoldfastBuilder watchdogTimeout(Duration timeout) {
        watchdogTimeout = Arguments.positive("watchdogTimeout", timeout);
        return this;
    }

    /**
     * How long Redis may take to reply: after that, the connection counts as dead. It is also how long calls that do not
     * wait ({@code tryLock()}, a wait of zero, {@code isLocked()}) take at most; the others wait longer, see {@link
     * #failoverTimeout}. Default 3 s, or a third of the watchdog timeout if that is less; at most half of the watchdog timeout.
     */
    public HoldfastBuilder commandTimeout(Duration timeout) {
        commandTimeout = Arguments.positive("commandTimeout", timeout);
        return this;
    }

    /**
     * How long {@link #build()} may take to connect: the sockets, TLS, the handshakes and the first commands together.
     * Default 10 s, or the command timeout if that is more; between 1 ms and 1 h.
     *
     * <p>An attempt to reconnect is bounded as well, so that an attempt that hangs does not keep the client from
     * starting another while its leases run. The first attempt may take one command timeout; each attempt that follows
     * one which timed out may take one command timeout more, up to the connect timeout.
     */
    public HoldfastBuilder connectTimeout(Duration timeout) {
        connectTimeout = Arguments.positive("connectTimeout", timeout);
        return this;
    }

    /**
     * Has {@link #build()} return at once, without a connection: Redis may come later than the application. The client is
     * connected in the background, by attempts that end with the first one that succeeds, or when the client is closed.
     * Until then it is as in an outage: calls wait for the connection, or fail with {@link LockException}, which says why
     * there is none, as {@link Holdfast#isConnected()} is false. What Redis is, a server, a cluster or the master of sentinels,
     * is determined by the attempt that succeeds.
     *
     * <p>So {@code build()} does not throw where Redis cannot be used as it is configured: a wrong password, a server that
     * is a replica or no node of a cluster. The text of that exception is logged instead, once, at level ERROR; that Redis
     * cannot be reached is logged once, at level WARN. Attempts go on in both cases, with {@link #reconnectDelay} between
     * them. Settings that contradict each other are still refused by {@code build()}.
     *
     * <p>Because Redis may turn out to be a cluster, {@link Holdfast#getLock} refuses the names that it refuses in a cluster,
     * unless the URI is that of sentinels. Default: {@code build()} connects.
     */
    public HoldfastBuilder connectInBackground() {
        connectsInBackground = true;
        return this;
    }

    /**
     * The longest delay before the next attempt to reconnect; the delay grows up to this, with jitter. Default 500 ms,
     * or a tenth of the watchdog timeout if that is less; at most a third of the watchdog timeout.
     */
    public HoldfastBuilder reconnectDelay(Duration longest) {
        reconnectDelay = Arguments.positive("reconnectDelay", longest);
        return this;
    }

    /**
     * How long {@code lock()} and {@code acquire()}, and calls about a hold ({@code unlock}, {@code close}, {@code extend},
     * {@code closeAfter}), wait from the call while Redis does not execute their command: while there is no connection to the
     * server that has the lock, no master of it is known, or the server answers that it executes no commands at present. Then
     * they fail with {@link LockException}; a command that was sent again just before may take a command timeout more. Calls
     * with a wait of their own end with that, and calls without a wait after a {@linkplain #commandTimeout command timeout}.
     *
     * <p>Default: twice the command timeout, so that a command whose connection turns out to be dead is sent again over the
     * next one; under Sentinel and in a cluster 15 s if that is more, because replacing a master takes so long. At least the
     * command timeout.
     */
    public HoldfastBuilder failoverTimeout(Duration timeout) {
        failoverTimeout = Arguments.positive("failoverTimeout", timeout);
        return this;
    }

    /**
     * Locks of this client are granted only when this many replicas of the master have the grant, and prolonged only when
     * they have that: so a hold outlives the failure of the master, for sure if these are all of its replicas, since
     * then whichever takes its place has it. If fewer confirm the grant in time, it is given back, and the call fails
     * with {@link LockException}: while a replica is missing that is needed, no lock is granted.
     *
     * <p>Each acquire takes one more round trip, and that of the replicas; acquires at the same time share it. The
     * connection is blocked for that time, which delays all locks of this client: if only some locks have to be replicated,
     * use a second client for those. Needs the command {@code WAIT}. Default: no replica is awaited.
     *
     * @param replicas at least 1; more than there are would refuse every acquire
     * @param timeout how long to wait for them, at most half of the command timeout
     */
    public HoldfastBuilder replicated(int replicas, Duration timeout) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas must be at least 1, was " + replicas);
        }
        replicationTimeout = Arguments.positive("timeout", timeout);
        this.replicas = replicas;
        return this;
    }

    /**
     * How far Redis's clock may run ahead of this client's during one watchdog timeout. The client shortens its own
     * view of every lease by it, in proportion to the lease. Default a hundredth of the watchdog timeout, at most a
     * quarter.
     */
    public HoldfastBuilder driftAllowance(Duration allowance) {
        driftAllowance = Arguments.notNegative("driftAllowance", allowance);
        return this;
    }

    /**
     * How long after its acquire a hold is still renewed; then its lease runs out, and the hold is lost. Default: for
     * as long as it is held. At least the watchdog timeout.
     */
    public HoldfastBuilder maxHold(Duration longest) {
        maxHold = Arguments.positive("maxHold", longest);
        return this;
    }

    /**
     * Whether {@link DistributedLock#unlock()} and {@link Lease#close()} wait for Redis's reply. Default true. With
     * false they return as soon as the release is on its way, which nearly halves the cost of a short hold for its
     * thread; an unlock only waits for an earlier command of the same owner and lock, if one is in progress. The
     * release of a lock that is known not to be held still throws. But if only the reply shows that the lease was lost,
     * the loss is reported to the listeners and the handle alone, and a release that Redis refused or did not answer is
     * logged.
     */
    public HoldfastBuilder awaitReleases(boolean await) {
        awaitReleases = await;
        return this;
    }

    /**
     * Whether a thread is interrupted when a hold that it owns is lost, so that it need not poll for the loss. Default
     * false. This applies only to holds of which every level was entered by blocking calls of one thread: for an async
     * call or a {@link Lease} it is not known which thread works under the lock. It is an ordinary interrupt: an
     * interruptible blocking call is ended by it, this library's included; an uninterruptible one continues, and
     * {@link DistributedLock#lock()} returns with the flag still set. An explicit lease that runs out is lost as well.
     *
     * <p>A thread is interrupted at most once for a hold, and never after the unlock of that hold has returned or
     * thrown, so that the interrupt cannot hit the thread's next work. A flag that was set before the
     * unlock stays set, because other code may have set it as well; the executors of {@code java.util.concurrent} clear
     * it before their next task. A thread that never unlocks remains the owner, whatever it does next.
     */
    public HoldfastBuilder interruptOnLoss(boolean interrupt) {
        interruptOnLoss = interrupt;
        return this;
    }

    /**
     * Whether the warning about a {@link Lease} that was dropped without {@code close} shows where the lease was
     * acquired. Default {@link LeakTracking#OFF}: the warning names the lease, but not the place.
     */
    public HoldfastBuilder leakTracking(LeakTracking level) {
        leakTracking = Objects.requireNonNull(level, "leakTracking must not be null");
        return this;
    }

    /**
     * The executor that completes futures and calls listeners, by a task for each completion. Default: the default
     * executor of {@link CompletableFuture}, or, where that starts a new thread for each task, a few threads of the
     * client's own. A callback that blocks occupies a thread of the executor, but delays no other callback for which the
     * executor has a thread. A task that the executor rejects runs on a thread of the client's own. One that it accepts
     * and drops is lost: its future is never completed.
     *
     * <p>An executor that runs tasks directly runs callbacks on threads of the driver and on the client's timer thread;
     * there, blocking calls throw {@link IllegalStateException}, and a callback that blocks otherwise stops all renewals.
     */
    public HoldfastBuilder callbackExecutor(Executor executor) {
        callbackExecutor = Objects.requireNonNull(executor, "callbackExecutor must not be null");
        return this;
    }

    /**
     * A human-readable name of the client. Logs and messages show it in addition to the client's id, never instead of
     * it; {@link DistributedLock#inspect()} also shows it, to any client. Its connections have it as their name ({@code CLIENT
     * LIST}), with an underscore in place of each blank or character that Redis does not accept there, unless {@link #redisUri}
     * names them. Default none.
     */
    public HoldfastBuilder label(String text) {
        Objects.requireNonNull(text, "label must not be null");
        label = Arguments.encodable("label", text);
        return this;
    }

    /** A prefix to the name of every lock in Redis. Default none. */
    public HoldfastBuilder keyPrefix(String prefix) {
        Objects.requireNonNull(prefix, "keyPrefix must not be null");
        keyPrefix = Arguments.encodable("keyPrefix", prefix);
        return this;
    }

    /**
     * Adds a listener for the events of this client's locks and connections, in addition to those added before.
     * Default: none, which costs nothing.
     */
    public HoldfastBuilder addListener(LockListener listener) {
        Objects.requireNonNull(listener, "listener must not be null");
        if (listener instanceof AdvancedTime advanced) {
            time = advanced;
        } else {
            listeners.add(listener);
        }
        return this;
    }

    /**
     * Connects. Waits for Redis, at most for the {@linkplain #connectTimeout connect timeout}; an interrupt does not
     * end the wait, and the flag is set again when the method returns. With {@link #connectInBackground} it does not wait.
     *
     * @return a client, which is connected unless that is to be done in the background
     * @throws IllegalStateException if no URI was set
     * @throws IllegalArgumentException if the settings contradict each other
     * @throws LockException if Redis cannot be reached, or refuses the credentials; if it, or a proxy before it, does
     *     not know {@code SUBSCRIBE}; if it is a replica; if it is a node of a cluster that has no slots, or whose
     *     addresses cannot be reached; if several nodes were named that are of no cluster; if locks are to be
     *     {@linkplain #replicated replicated}, and Redis refuses {@code WAIT}; if no sentinel answers, or none knows
     *     the master; if the server's certificate is not trusted, the server refuses this client's, or the stores of
     *     {@link #sslOptions} cannot be read
     */
    public Holdfast build() {
        Holdfast client = new Holdfast(ConnectedClient.open(settings()));
        if (time != null) {
            time.addClient(client::stats);
        }
        return client;
    }

    Settings settings() {
        if (redisUris.isEmpty()) {
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
        if (failoverTimeout != null && failoverTimeout.compareTo(command) < 0) {
            throw new IllegalArgumentException("failoverTimeout must be at least commandTimeout, was " + failoverTimeout
                    + " with " + command + ": a call must outlast one command");
        }
        if (replicationTimeout.multipliedBy(2).compareTo(command) > 0) {
            throw new IllegalArgumentException(
                    "the timeout of replicated must be at most half of commandTimeout, was " + replicationTimeout
                            + " with " + command + ": the connection is blocked while replicas are awaited");
        }
        if (sslOptions != null && !redisUris.get(0).isSsl()) {
            throw new IllegalArgumentException("sslOptions need a redisUri that uses TLS, such as rediss://host:6379,"
                    + " was one without: nothing would be encrypted");
        }
        return new Settings(
                redisUris,
                sslOptions,
                clientResources,
                watchdogTimeout,
                command,
                connect,
                connectsInBackground,
                reconnect,
                failoverTimeout,
                replicas,
                replicationTimeout,
                drift,
                maxHold,
                awaitReleases,
                interruptOnLoss,
                leakTracking,
                callbackExecutor,
                label,
                keyPrefix,
                time,
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
