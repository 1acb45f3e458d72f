package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RedisServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Configures {@link RedisSentinels}. */
public final class RedisSentinelsBuilder {
    private static final String MASTER = RedisSentinels.MASTER_NAME;

    /**
     * How long a sentinel does nothing after a stall of the machine of two seconds, where it can be set: from Redis 7.0
     * on. Before, it is half a minute.
     */
    private static final Duration TILT_PERIOD = Duration.ofSeconds(1);

    private final List<UnaryOperator<RedisServerBuilder>> serverSettings = new ArrayList<>();
    private final List<UnaryOperator<RedisServerBuilder>> sentinelSettings = new ArrayList<>();
    private int replicas = 2;
    private int sentinels = 3;
    private int quorum = 2;
    private boolean proxied;

    RedisSentinelsBuilder() {
        downAfter(Duration.ofSeconds(1));
        failoverTimeout(Duration.ofSeconds(3));
    }

    /** The number of replicas, 2 by default. */
    public RedisSentinelsBuilder replicas(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("replicas must not be negative, was " + number);
        }
        this.replicas = number;
        return this;
    }

    /** The number of sentinels, 3 by default; a majority of them must agree to a failover. */
    public RedisSentinelsBuilder sentinels(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("there must be at least 1 sentinel, was " + number);
        }
        this.sentinels = number;
        return this;
    }

    /** The number of sentinels that must find the master down, 2 by default. */
    public RedisSentinelsBuilder quorum(int number) {
        this.quorum = number;
        return this;
    }

    /** The time after which a silent server counts as down, 1 s by default. */
    public RedisSentinelsBuilder downAfter(Duration time) {
        return sentinelConfig("sentinel", "down-after-milliseconds", MASTER, Long.toString(time.toMillis()));
    }

    /** The limit of each step of a failover, 3 s by default; a failover that fails is tried again after twice that. */
    public RedisSentinelsBuilder failoverTimeout(Duration time) {
        return sentinelConfig("sentinel", "failover-timeout", MASTER, Long.toString(time.toMillis()));
    }

    /**
     * Puts a proxy in front of the master and each replica, which the sentinels name to clients. Replicas and sentinels
     * connect through the proxies too.
     */
    public RedisSentinelsBuilder proxied() {
        this.proxied = true;
        return this;
    }

    /** The password of the master and its replicas. */
    public RedisSentinelsBuilder password(String secret) {
        config("requirepass", secret).config("masterauth", secret);
        return sentinelConfig("sentinel", "auth-pass", MASTER, secret);
    }

    /** The password of the sentinels, which they use among each other too. */
    public RedisSentinelsBuilder sentinelPassword(String secret) {
        return sentinelConfig("requirepass", secret);
    }

    /** The executable of all processes, instead of {@link RedisBinary#byDefault()}. */
    public RedisSentinelsBuilder binary(RedisBinary choice) {
        serverSettings.add(server -> server.binary(choice));
        sentinelSettings.add(sentinel -> sentinel.binary(choice));
        return this;
    }

    /** One line of the {@code redis.conf} of the master and its replicas, overriding the testkit's own. */
    public RedisSentinelsBuilder config(String name, String... values) {
        serverSettings.add(server -> server.config(name, values));
        return this;
    }

    /** One line of the {@code sentinel.conf} of all sentinels. */
    public RedisSentinelsBuilder sentinelConfig(String name, String... values) {
        sentinelSettings.add(sentinel -> sentinel.config(name, values));
        return this;
    }

    /**
     * Starts all processes. When this returns, the replicas are in sync, and each sentinel knows the replicas and the
     * other sentinels.
     */
    public RedisSentinels start() {
        RedisSentinels started = new RedisSentinels(this);
        try {
            started.form(replicas, sentinels);
        } catch (RuntimeException | Error e) {
            started.close();
            throw e;
        }
        return started;
    }

    DataNode newServer() {
        RedisServer server = configured(RedisServer.builder(), serverSettings).start();
        try {
            DataNode node = new DataNode(server, proxied, "replica-announce-port");
            if (proxied) {
                node.announce(node.proxy().port());
            }
            return node;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** The settings of a master must follow the line that names it. */
    RedisServer newSentinel(DataNode master) {
        RedisServerBuilder builder = RedisServer.builder()
                .sentinel()
                .config(
                        "sentinel",
                        "monitor",
                        MASTER,
                        master.server().host(),
                        Integer.toString(master.announcedPort()),
                        Integer.toString(quorum));
        RedisServer sentinel = configured(builder, sentinelSettings).start();
        if (!sentinel.version().startsWith("6.")) {
            sentinel.command("SENTINEL", "DEBUG", "TILT-PERIOD", Long.toString(TILT_PERIOD.toMillis()));
        }
        return sentinel;
    }

    private static RedisServerBuilder configured(
            RedisServerBuilder builder, List<UnaryOperator<RedisServerBuilder>> settings) {
        RedisServerBuilder configured = builder;
        for (UnaryOperator<RedisServerBuilder> setting : settings) {
            configured = setting.apply(configured);
        }
        return configured;
    }
}
