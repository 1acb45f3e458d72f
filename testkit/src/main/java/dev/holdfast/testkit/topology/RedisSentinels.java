package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A master with replicas under sentinels, for a test: 2 replicas and 3 sentinels, unless configured otherwise. All are
 * processes of the test's own, like those of {@link RedisServer}, and end with the JVM.
 *
 * <p>They are killed, restarted, paused and resumed by their {@link RedisServer}, and the sentinels react by
 * themselves; the {@code await} methods wait for their reaction. They consult the sentinels that are neither down nor
 * paused, and throw {@link org.awaitility.core.ConditionTimeoutException} after a minute. A server that is killed and
 * restarted has no data of its own, unless it was configured to be persistent.
 *
 * <p>Not safe for use by several threads, except for queries.
 *
 * <pre>{@code
 * try (RedisSentinels sentinels = RedisSentinels.start()) {
 *     DataNode old = sentinels.master();
 *     old.server().kill();
 *     DataNode master = sentinels.awaitMasterOtherThan(old);
 * }
 * }</pre>
 */
public final class RedisSentinels implements AutoCloseable {
    /** The name by which clients ask for the master. */
    public static final String MASTER_NAME = "holdfast-master";

    private final RedisSentinelsBuilder configuration;
    private final List<DataNode> servers = new CopyOnWriteArrayList<>();
    private final List<RedisServer> sentinels = new CopyOnWriteArrayList<>();

    RedisSentinels(RedisSentinelsBuilder configuration) {
        this.configuration = configuration;
    }

    /** A master with 2 replicas, under 3 sentinels. */
    public static RedisSentinels start() {
        return builder().start();
    }

    /** A builder for other numbers and settings. */
    public static RedisSentinelsBuilder builder() {
        return new RedisSentinelsBuilder();
    }

    void form(int replicas, int numberOfSentinels) {
        DataNode master = newServer();
        for (int i = 0; i < replicas; i++) {
            DataNode replica = newServer();
            replica.server().command("REPLICAOF", master.server().host(), Integer.toString(master.announcedPort()));
            replica.server().command("CONFIG", "REWRITE");
        }
        replicasAmongServers(master).forEach(replica -> awaitInSync(replica, master));
        for (int i = 0; i < numberOfSentinels; i++) {
            sentinels.add(configuration.newSentinel(master));
        }
        introduceSentinels(master);
        awaitOk();
    }

    /** Sentinels greet each other through their servers every two seconds; these are the first greetings, at once. */
    private void introduceSentinels(DataNode master) {
        for (RedisServer sentinel : sentinels) {
            String greeting = String.join(
                    ",",
                    sentinel.host(),
                    Integer.toString(sentinel.port()),
                    String.valueOf(sentinel.command("SENTINEL", "MYID")),
                    "0",
                    MASTER_NAME,
                    master.server().host(),
                    Integer.toString(master.announcedPort()),
                    "0");
            sentinels.stream()
                    .filter(other -> other != sentinel)
                    .forEach(other -> other.command("PUBLISH", "__sentinel__:hello", greeting));
        }
    }

    private DataNode newServer() {
        DataNode server = configuration.newServer();
        servers.add(server);
        return server;
    }

    private List<DataNode> replicasAmongServers(DataNode master) {
        return servers.stream().filter(server -> server != master).toList();
    }

    // What there is

    /** {@return the master and its replicas, in the order of their start, running or not} */
    public List<DataNode> servers() {
        return List.copyOf(servers);
    }

    /** {@return the sentinels, in the order of their start, running or not} */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * {@return the addresses of all sentinels in one URI, as in {@code
     * redis-sentinel://:secret@127.0.0.1:26379,127.0.0.1:26380/0#holdfast-master}} The password is that of the servers.
     */
    public String uri() {
        String credentials = servers.get(0).uri().replaceFirst("^redis://", "").replaceFirst("[^@]*$", "");
        return sentinels.stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://" + credentials, "/0#" + MASTER_NAME));
    }

    /**
     * {@return the master that all sentinels that reply name, running or not}
     *
     * @throws IllegalStateException if they name different ones, as during a failover
     */
    public DataNode master() {
        List<DataNode> named = namedMasters();
        if (named.size() != 1) {
            throw new IllegalStateException("the sentinels must agree on the master, but name " + named);
        }
        return named.get(0);
    }

    private List<DataNode> namedMasters() {
        return answering().stream().map(this::masterSeenBy).distinct().toList();
    }

    /** {@return the master that this sentinel names} */
    public DataNode masterSeenBy(RedisServer sentinel) {
        return serverAt(SentinelReply.masterPort(sentinel, MASTER_NAME));
    }

    /** {@return all servers but the {@linkplain #master() master}} */
    public List<DataNode> replicas() {
        return replicasAmongServers(master());
    }

    /** {@return the server that announces this port} */
    public DataNode serverAt(int announcedPort) {
        return servers.stream()
                .filter(server -> server.announcedPort() == announcedPort)
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no server announces port " + announcedPort));
    }

    private List<RedisServer> answering() {
        return sentinels.stream()
                .filter(sentinel -> sentinel.isRunning() && !sentinel.isPaused())
                .toList();
    }

    // What a test changes

    /**
     * Requests a failover from the first sentinel that replies, and does not wait for it.
     *
     * @throws dev.holdfast.testkit.RedisReplyException if the sentinel refuses, as for want of a good replica
     */
    public void requestFailover() {
        answering().get(0).command("SENTINEL", "FAILOVER", MASTER_NAME);
    }

    /**
     * Requests a failover. When this returns, all sentinels that reply name the new master; the old one still accepts
     * writes for about ten seconds.
     *
     * @return the new master
     */
    public DataNode failover() {
        DataNode old = master();
        requestFailover();
        return awaitMasterOtherThan(old);
    }

    /**
     * Changes the time after which a silent server counts as down, at all sentinels that reply. With a long one, no further
     * failover happens unless it is requested: a server that gets no processor time for a moment is not replaced.
     */
    public void downAfter(Duration time) {
        answering()
                .forEach(sentinel -> sentinel.command(
                        "SENTINEL", "SET", MASTER_NAME, "down-after-milliseconds", Long.toString(time.toMillis())));
    }

    /** A subscription to the changes of masters that this sentinel publishes. */
    public SentinelSubscription subscribe(RedisServer sentinel) {
        return SentinelSubscription.to(sentinel);
    }

    // What a test waits for

    /** Waits until all sentinels that reply name the same master, another one than this, and returns it. */
    public DataNode awaitMasterOtherThan(DataNode old) {
        Waiting.until("the master is another than " + old, () -> {
            List<DataNode> named = namedMasters();
            return named.size() == 1 && !named.contains(old) ? List.of() : List.of("the sentinels name " + named);
        });
        return master();
    }

    /** Waits until a server follows the {@linkplain #master() master} and has all that the master has written. */
    public void awaitInSync(DataNode replica) {
        awaitInSync(replica, master());
    }

    private static void awaitInSync(DataNode replica, DataNode master) {
        Waiting.until(replica + " is in sync with " + master, () -> replica.lacking(master));
    }

    /**
     * Waits until the sentinels could fail over: each that replies names the same master and finds it up, and knows all
     * others that reply and all replicas that do.
     */
    public void awaitOk() {
        Waiting.until("the sentinels are ok", () -> {
            List<DataNode> masters = namedMasters();
            return masters.size() == 1
                    ? answering().stream()
                            .flatMap(sentinel -> lackingAt(sentinel, masters.get(0)).stream())
                            .toList()
                    : List.of("the sentinels name " + masters);
        });
    }

    private List<String> lackingAt(RedisServer sentinel, DataNode master) {
        List<String> lacking = new ArrayList<>();
        if (!isUp(SentinelReply.master(sentinel, MASTER_NAME))) {
            lacking.add(sentinel + " finds " + master + " down");
        }
        long known = upAmong(SentinelReply.otherSentinels(sentinel, MASTER_NAME));
        int others = answering().size() - 1;
        if (known < others) {
            lacking.add(sentinel + " knows " + known + " of " + others + " other sentinels");
        }
        long usable = upAmong(SentinelReply.replicas(sentinel, MASTER_NAME));
        long replicas = replicasAmongServers(master).stream()
                .filter(DataNode::isAnswering)
                .count();
        if (usable < replicas) {
            lacking.add(sentinel + " knows " + usable + " of " + replicas + " replicas");
        }
        return lacking;
    }

    private static long upAmong(List<Map<String, String>> instances) {
        return instances.stream().filter(RedisSentinels::isUp).count();
    }

    private static boolean isUp(Map<String, String> instance) {
        String flags = instance.getOrDefault("flags", "");
        boolean linkUp = instance.getOrDefault("master-link-status", "ok").equals("ok");
        return linkUp && !flags.contains("down") && !flags.contains("disconnected");
    }

    /** Ends all processes and removes their files. A second call does nothing. */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(DataNode::close);
        sentinels.clear();
        servers.clear();
    }

    @Override
    public String toString() {
        return servers.isEmpty()
                ? "RedisSentinels[closed]"
                : "RedisSentinels[" + servers.get(0).server().version() + ", " + servers.size() + " servers, "
                        + sentinels.size() + " sentinels]";
    }
}
