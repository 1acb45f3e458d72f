package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DocumentedMessages;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.RealTime;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Addresses by which a cluster is named, or names its nodes, that are wrong: what is reported, and what still works. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterConnectTest {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private static RedisCluster cluster;
    private static RedisCluster another;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.builder()
                .proxied()
                .replicasPerMaster(0)
                .config("cluster-require-full-coverage", "no")
                .start();
        another = RedisCluster.builder().masters(1).replicasPerMaster(0).start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        another.close();
    }

    @AfterEach
    void heal() {
        for (ClusterNode node : cluster.nodes()) {
            node.proxy().heal();
            node.proxy().accept();
        }
    }

    /** {@return the address of a node that no proxy is in front of} */
    private static String direct(ClusterNode node) {
        return "127.0.0.1:" + node.server().port();
    }

    private static ClusterNode node(int index) {
        return cluster.nodes().get(index);
    }

    private static HoldfastBuilder builder(String... addresses) {
        return Holdfast.builder()
                .redisUri("redis://" + String.join(",", addresses))
                .connectTimeout(CONNECT_TIMEOUT)
                .reconnectDelay(Duration.ofMillis(50));
    }

    private static void assertFails(HoldfastBuilder builder, String... message) {
        assertThatThrownBy(builder::build).isInstanceOf(LockException.class).hasMessageContainingAll(message);
    }

    private static void assertFailsAsDocumented(HoldfastBuilder builder, String row) {
        assertFails(builder, DocumentedMessages.of(row));
    }

    private static void assertLocks(Holdfast client, ClusterNode master) {
        client.getLock(cluster.keyAt(master)).acquire().close();
    }

    /** A list that mixes two clusters is refused, whichever of them is named first. */
    @Test
    void seeds_ofTwoClusters_areRefused() {
        String one = direct(node(0));
        String other = direct(another.nodes().get(0));
        assertFails(builder(one, other), "redisUri must name nodes of one cluster", one, other, "do not exclude");
        assertFailsAsDocumented(builder(one, other), "The list mixes clusters, or a server is of none");
        assertFails(builder(other, one), "redisUri must name nodes of one cluster", one, other, "do not exclude");
    }

    /** So is a list of a node and a server that is alone. */
    @Test
    void seeds_oneIsOfNoCluster_isRefused() {
        try (RedisServer alone = RedisServer.builder().start()) {
            String address = "127.0.0.1:" + alone.port();
            for (int i = 0; i < 5; i++) {
                assertFails(builder(direct(node(0)), direct(node(1)), address), address, "one cluster", "of none");
                assertFails(builder(address, direct(node(0))), address, "one cluster", "of none");
            }
        }
    }

    /** A node of another cluster that answers only later is not waited for, and is warned of when it answers. */
    @RealTime
    void seeds_ofTwoClusters_lateOneIsWarnedOf() {
        RedisServer late = another.nodes().get(0).server();
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            late.pause();
            long start = System.nanoTime();
            try (Holdfast client =
                    builder(direct(node(0)), direct(another.nodes().get(0))).build()) {
                assertThat(since(start)).isLessThan(CONNECT_TIMEOUT);
                assertThat(warnings.text()).isEmpty();

                late.resume();

                eventually(() -> warnings.text().contains("redisUri must name nodes of one cluster"));
                assertLocks(client, node(0));
            }
        } finally {
            late.resume();
        }
    }

    /** None of several nodes answers in time, although their connections are accepted: each is named. */
    @Test
    void seeds_areSilent() {
        node(0).proxy().blackHole();
        node(1).proxy().blackHole();
        String[] silent = {
            "127.0.0.1:" + node(0).proxy().port(),
            "127.0.0.1:" + node(1).proxy().port()
        };
        assertFailsAsDocumented(builder(silent), "No node of the list answers");
        assertFails(builder(silent), silent[0] + ": no answer so far", silent[1] + ": no answer so far");
    }

    /** A cluster has a single database, and the message names the one of the URI. */
    @Test
    void database_isRefused() {
        assertFailsAsDocumented(builder(direct(node(0)) + "/3"), "A database with a cluster");
        assertFails(builder(direct(node(0)), direct(node(1)) + "/3"), direct(node(1)), "no database but 0");
    }

    /** No announced address can be reached, as from outside of a container: all are named, and what to configure. */
    @Test
    void announced_noneIsReachable() {
        cluster.nodes().forEach(node -> node.proxy().refuse());
        assertFailsAsDocumented(builder(direct(node(0))), "Announced addresses that cannot be reached");
        assertFails(
                builder(direct(node(0))),
                "the addresses that the cluster announces",
                "127.0.0.1:" + node(0).proxy().port(),
                "127.0.0.1:" + node(1).proxy().port(),
                "127.0.0.1:" + node(2).proxy().port(),
                "refused",
                "cluster-announce-ip");
    }

    /** A master that cannot be reached does not keep a client from the locks of the others; its own name the reason. */
    @Test
    void announced_oneIsNotReachable() {
        for (ClusterNode unreachable : cluster.nodes()) {
            unreachable.proxy().refuse();
            String address = "127.0.0.1:" + unreachable.proxy().port();
            try (Holdfast client = builder(direct(node(0))).build()) {
                cluster.nodes().stream().filter(node -> node != unreachable).forEach(node -> assertLocks(client, node));
                assertThatThrownBy(
                                () -> client.getLock(cluster.keyAt(unreachable)).tryLock(Duration.ofMillis(500)))
                        .isInstanceOf(LockException.class)
                        .hasMessageContainingAll(
                                address, "which the cluster announces", "refused", "cluster-announce-ip");
                CompletableFuture<Lease> waiting =
                        client.getLock(cluster.keyAt(unreachable)).acquireAsync();
                unreachable.proxy().accept();
                get(waiting).close();
            }
        }
    }

    /** A silent master does not keep a client from connecting to the next one. */
    @RealTime
    void announced_oneIsSilent() {
        for (ClusterNode silent : cluster.nodes()) {
            silent.proxy().blackHole();
            long start = System.nanoTime();
            try (Holdfast client = builder(direct(node(0))).build()) {
                assertThat(since(start)).isLessThan(CONNECT_TIMEOUT);
                cluster.nodes().stream().filter(node -> node != silent).forEach(node -> assertLocks(client, node));
                silent.proxy().heal();
            }
        }
    }

    /** A node with another password: the locks of the others work, and its own name the reason. */
    @Test
    void credentials_differ() {
        ClusterNode different = node(2);
        for (ClusterNode node : cluster.nodes()) {
            String password = node == different ? ">another" : ">secret";
            node.server().command("ACL", "SETUSER", "app", "reset", "on", password, "~*", "&*", "+@all");
        }
        try (Holdfast client = builder("app:secret@" + direct(node(0))).build()) {
            assertLocks(client, node(0));
            assertLocks(client, node(1));
            assertThatThrownBy(() -> client.getLock(cluster.keyAt(different)).tryLock(Duration.ofMillis(500)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(DocumentedMessages.of("A node with other credentials"))
                    .hasMessageContainingAll(
                            "127.0.0.1:" + different.proxy().port(), "WRONGPASS", "the credentials that redisUri has")
                    .hasMessageNotContaining("secret");
            assertFails(builder("app:secret@" + direct(different)), direct(different), "WRONGPASS");
        }
    }

    /** A cluster whose sharded channels a client could not hear is refused; one without such channels works. */
    @Test
    void resp2Only() {
        try (RedisCluster old = RedisCluster.builder()
                .masters(1)
                .replicasPerMaster(0)
                .config("rename-command", "HELLO", "\"\"")
                .start()) {
            HoldfastBuilder builder = Holdfast.builder().redisUri(old.uris().get(0));
            if (old.nodes().get(0).server().version().startsWith("6.")) {
                try (Holdfast client = builder.build()) {
                    client.getLock("broadcast").acquire().close();
                }
            } else {
                assertFailsAsDocumented(builder, "RESP2 only, in a cluster from Redis 7.0 on");
            }
        }
    }

    /** All are named by the list: each answers, and they are of one cluster. */
    @Test
    void seeds_all() {
        try (Holdfast client =
                builder(direct(node(0)), direct(node(1)), direct(node(2))).build()) {
            List.of(0, 1, 2).forEach(index -> assertLocks(client, node(index)));
        }
    }
}
