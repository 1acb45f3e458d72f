package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.Permits;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that exists before it is connected: its calls wait or fail as in an outage, whatever Redis turns out to be. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class BackgroundConnectTest {
    private static HoldfastBuilder builder(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .watchdogTimeout(LONG)
                .commandTimeout(TIMEOUT)
                .reconnectDelay(Duration.ofMillis(50))
                .connectInBackground();
    }

    /** {@return one call of each kind, which all end when the client is connected} */
    private static List<CompletableFuture<?>> calls(Holdfast client) {
        DistributedLock plain = client.getLock("plain");
        FencedLock fenced = client.getFencedLock("fenced");
        return List.of(
                elsewhere(() -> {
                    plain.lock();
                    try {
                        return plain.isHeldByCurrentThread();
                    } finally {
                        plain.unlock();
                    }
                }),
                elsewhere(() -> plain.tryLock(TIMEOUT) && unlocked(plain)),
                elsewhere(() -> {
                    long token = fenced.lockAndGetToken();
                    fenced.unlock();
                    return token;
                }),
                elsewhere(() -> {
                    Holdfast.multiLock(client.getLock("one"), client.getLock("two"), client.getFencedLock("three"))
                            .acquire()
                            .close();
                    return true;
                }),
                elsewhere(() -> {
                    client.getSegmentedLock("segments", 3).acquire().close();
                    return true;
                }),
                elsewhere(() -> client.getLock("inspected").inspect().isLocked()),
                elsewhere(() -> client.getLock("forced").forceUnlock()),
                client.getLock("async").acquireAsync().thenAccept(Lease::close),
                client.getFencedLock("fenced too").acquireAsync().thenAccept(Lease::close),
                client.getLock("inspected").isLockedAsync(),
                Holdfast.multiLock(client.getLock("four"), client.getLock("five"))
                        .acquireAsync()
                        .thenAccept(Lease::close),
                client.getSegmentedLock("more segments", 2).acquireAsync().thenAccept(Lease::close),
                client.getCountDownLatch("never set").awaitAsync(),
                client.getCountDownLatch("never set").awaitAsync(TIMEOUT),
                client.getCountDownLatch("never set").getCountAsync(),
                client.getCountDownLatch("set").trySetCountAsync(1),
                client.getCountDownLatch("set").countDownAsync(),
                client.getSemaphore("permits", 2).acquireAsync(2).thenAccept(Permits::close),
                client.getSemaphore("permits", 2)
                        .tryAcquireAsync(1, TIMEOUT)
                        .thenAccept(permits -> permits.orElseThrow().close()),
                client.getSemaphore("permits", 2).availablePermitsAsync(),
                elsewhere(() -> {
                    client.getSemaphore("permits", 2).acquire().close();
                    return true;
                }));
    }

    private static boolean unlocked(DistributedLock lock) {
        lock.unlock();
        return true;
    }

    private static void assertWaits(Holdfast client, List<CompletableFuture<?>> calls) {
        assertThatThrownBy(
                        () -> client.getLock("impatient " + System.nanoTime()).tryLock(COMMAND_TIMEOUT))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("there is no connection to Redis: ");
        assertThat(client.isConnected()).isFalse();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
    }

    private static void assertConnects(Holdfast client, List<CompletableFuture<?>> calls) {
        calls.forEach(call -> get(call));
        eventually(client::isConnected);
        eventually(() -> assertThat(Inside.residue(client)).isEmpty());
        assertThat(client.getLock("plain").tryLock()).isTrue();
        client.getLock("plain").unlock();
    }

    @Test
    void standalone_comesLater() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.refuse();
            try (Holdfast client = builder(proxy.uri()).build()) {
                List<CompletableFuture<?>> calls = calls(client);
                assertWaits(client, calls);
                proxy.accept();
                assertConnects(client, calls);
            }
            eventually(() -> server.clients().isEmpty());
        }
    }

    /** The nodes are not named by the addresses that the cluster announces only, which are reached later, too. */
    @Test
    void cluster_comesLater() {
        try (RedisCluster cluster =
                RedisCluster.builder().proxied().masters(3).replicasPerMaster(1).start()) {
            cluster.nodes().forEach(node -> node.proxy().refuse());
            HoldfastBuilder builder = builder(cluster.uris().get(0)).replicated(1, Duration.ofSeconds(5));
            try (Holdfast client = builder.build()) {
                List<CompletableFuture<?>> calls = calls(client);
                assertWaits(client, calls);
                cluster.nodes().forEach(node -> node.proxy().accept());
                assertConnects(client, calls);
            }
        }
    }

    /** The sentinels answer before their master can be reached. */
    @Test
    void sentinels_andTheirMaster_comeLater() {
        try (RedisSentinels sentinels =
                RedisSentinels.builder().proxied().replicas(1).start()) {
            sentinels.servers().forEach(server -> server.proxy().refuse());
            sentinels.sentinels().forEach(RedisServer::pause);
            HoldfastBuilder builder = builder(sentinels.uri())
                    .connectTimeout(Duration.ofSeconds(2))
                    .replicated(1, Duration.ofSeconds(5));
            try (Holdfast client = builder.build()) {
                List<CompletableFuture<?>> calls = calls(client);
                assertWaits(client, calls);
                sentinels.sentinels().forEach(RedisServer::resume);
                assertWaits(client, calls);
                sentinels.servers().forEach(server -> server.proxy().accept());
                assertConnects(client, calls);
            }
        }
    }

    /** That Redis cannot be reached is warned of once. */
    @Test
    void unreachable_isWarnedOfOnce() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.refuse();
            try (CapturedWarnings logged = new CapturedWarnings();
                    Holdfast client = builder(proxy.uri()).build()) {
                eventually(() -> logged.text().contains(" WARN "));
                assertThat(client.isConnected()).isFalse();
                proxy.accept();
                eventually(client::isConnected);
                assertThat(logged.text().lines().filter(line -> line.contains("holdfast")))
                        .singleElement()
                        .asString()
                        .contains("Not connected yet, and trying again: cannot connect to Redis at", "refused");
            }
        }
    }

    /** A wrong password is reported as {@code build()} would have, once, and the client connects when it is the right one. */
    @Test
    void wrongPassword_isLoggedOnce() {
        try (RedisServer server = RedisServer.builder().start()) {
            server.command("ACL", "SETUSER", "app", "on", ">other", "~*", "&*", "+@all");
            String uri = server.uri().replace("redis://", "redis://app:wrong-secret@");
            assertLoggedOnce(uri, server, "WRONGPASS", () -> server.command("ACL", "SETUSER", "app", ">wrong-secret"));
        }
    }

    /** A replica has all locks, and can grant none. No connection of an attempt that fails is left. */
    @Test
    void replica_isLoggedOnce() {
        try (RedisServer master = RedisServer.builder().start();
                RedisServer replica = RedisServer.builder().replicaOf(master).start()) {
            assertLoggedOnce(replica.uri(), replica, "is a replica", () -> {
                long ids = connections(replica);
                eventually(() -> connections(replica) > ids + 5);
                assertThat(replica.clients()).hasSizeLessThan(5);
                replica.command("REPLICAOF", "NO", "ONE");
            });
        }
    }

    private static long connections(RedisServer server) {
        return Long.parseLong(server.info("total_connections_received"));
    }

    /** Several servers have to be nodes of one cluster. */
    @Test
    void noCluster_isLoggedOnce() {
        try (RedisServer one = RedisServer.builder().start();
                RedisServer other = RedisServer.builder().start()) {
            String uri = one.uri() + ",127.0.0.1:" + other.port();
            String message = eager(uri);
            try (CapturedWarnings logged = new CapturedWarnings();
                    Holdfast client = builder(uri).build()) {
                eventually(() -> logged.text().contains(" ERROR "));
                assertThat(client.isConnected()).isFalse();
                assertThat(logged.text()).contains("must be nodes of one cluster");
                assertThat(message).contains("must be nodes of one cluster");
            }
            eventually(() -> one.clients().isEmpty() && other.clients().isEmpty());
        }
    }

    private static String eager(String uri) {
        return String.valueOf(
                catchThrowable(() -> Holdfast.builder().redisUri(uri).build().close())
                        .getMessage());
    }

    private static void assertLoggedOnce(String uri, RedisServer server, String reason, Runnable repair) {
        String message = eager(uri);
        assertThat(message).contains(reason);
        try (CapturedWarnings logged = new CapturedWarnings();
                Holdfast client = builder(uri).build()) {
            eventually(() -> logged.text().contains(" ERROR "));
            assertThatThrownBy(() -> client.getLock("orders:42").tryLock(COMMAND_TIMEOUT))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining(message);
            repair.run();
            eventually(client::isConnected);
            assertThat(logged.text().lines().filter(line -> line.contains(" ERROR ") || line.contains(" WARN ")))
                    .singleElement()
                    .asString()
                    .contains("will not end by itself: " + message);
        }
        eventually(() -> server.clients().isEmpty());
    }

    /** A name that cannot be used in a cluster is refused from the beginning, since Redis may turn out to be one. */
    @Test
    void name_isThatOfACluster() {
        try (Holdfast client = builder("redis://127.0.0.1:1").build()) {
            assertThatThrownBy(() -> client.getLock("a{b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("hash tag");
        }
    }

    /** A close ends an attempt that hangs, and the calls that wait. */
    @Test
    void close_whileAnAttemptHangs() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.blackHole();
            Holdfast client = builder(proxy.uri())
                    .connectTimeout(Duration.ofMinutes(10))
                    .commandTimeout(Duration.ofSeconds(1))
                    .build();
            List<CompletableFuture<?>> calls = List.of(
                    client.getLock("orders:42").tryAcquireAsync(LONG),
                    elsewhere(() -> client.getLock("orders:43").tryLock(LONG)));
            eventually(() -> assertThat(Inside.residue(client)).contains("waits for the link=2"));
            eventually(() -> !proxy.connections().isEmpty());
            long start = System.nanoTime();
            client.close();
            assertThat(since(start)).isLessThan(TIMEOUT);
            calls.forEach(call -> assertThatThrownBy(() -> get(call)).isInstanceOf(LockException.class));
            eventually(() -> threads("holdfast-first-connect").isEmpty());
            eventually(() -> proxy.connections().stream().noneMatch(connection -> connection.isOpen()));
        }
    }

    /** A close at any moment of a connect leaves no connection. */
    @Test
    void close_whileItConnects() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            List<Function<Holdfast, Boolean>> moments = List.of(
                    client -> true,
                    client -> !proxy.connections().isEmpty(),
                    client -> proxy.commands("HELLO") > 0,
                    client -> proxy.commands("INFO") > 0,
                    client -> proxy.commands("SCRIPT") > 0,
                    Holdfast::isConnected);
            for (Function<Holdfast, Boolean> moment : moments) {
                proxy.resetCounters();
                Holdfast client = builder(proxy.uri()).build();
                eventually(() -> moment.apply(client));
                client.close();
                eventually(() -> server.clients().isEmpty());
                assertThat(client.isConnected()).isFalse();
            }
            assertThat(threads("holdfast-first-connect")).isEmpty();
        }
    }

    private static List<String> threads(String name) {
        return Stream.of(Thread.getAllStackTraces().keySet().toArray(Thread[]::new))
                .map(Thread::getName)
                .filter(name::equals)
                .toList();
    }
}
