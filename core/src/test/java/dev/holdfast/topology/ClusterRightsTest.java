package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DocumentedMessages;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rights of a Redis user that {@code docs/configuration.md} names for a cluster, and what is done without one. */
@Tag("topology")
@Tag("driver")
class ClusterRightsTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 0);

    private final RedisCluster cluster = redis.cluster();
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Holdfast::close);
    }

    private static boolean isSharded() {
        return redis.cluster().nodes().get(0).server().version().compareTo("7") >= 0;
    }

    private static List<String> enough() {
        String setUp = isSharded() ? "Cluster from Redis 7.0 on" : "Cluster before Redis 7.0";
        List<String> rights = DocumentedRights.ofAll();
        DocumentedRights.besides(setUp).forEach(rights::addAll);
        return rights;
    }

    private Holdfast restricted(String user, List<String> rights) {
        return restricted(cluster, cluster.nodes().subList(0, 1), user, rights);
    }

    private Holdfast restricted(RedisCluster of, List<ClusterNode> seeds, String user, List<String> rights) {
        of.nodes().forEach(node -> setUser(node, user, rights));
        String uri = seeds.stream()
                .map(seed -> seed.uri().replace("redis://", ""))
                .collect(Collectors.joining(",", "redis://" + user + ":secret@", ""));
        Holdfast client = Holdfast.builder().redisUri(uri).build();
        clients.add(client);
        return client;
    }

    private static void setUser(ClusterNode node, String user, List<String> rights) {
        node.server().setUser(user, "secret", rights.toArray(String[]::new));
    }

    private static List<String> without(String right) {
        List<String> rights = enough();
        assertThat(rights.remove(right)).isTrue();
        return rights;
    }

    /** Two clients with these rights alone wait for each other, with tokens, and follow a slot that is moved. */
    @Test
    void enough_everythingWorks() {
        assertEverythingWorks(restricted("app", enough()), restricted("rival", enough()));
    }

    private void assertEverythingWorks(Holdfast client, Holdfast rival) {
        Lease held = client.getFencedLock(NAME).acquire();
        CompletableFuture<Lease> waiting = rival.getFencedLock(NAME).acquireAsync();
        eventually(() -> client.getLock(NAME).inspect().clientsInLine() == (isSharded() ? 1 : 0)
                && rival.stats().waiters() == 1);

        held.close();
        Lease next = get(waiting);
        assertThat(next.token()).isGreaterThan(held.token());
        SlotMigration migration = cluster.beginMigration(Slots.of(NAME), cluster.masterBeside(cluster.masterOf(NAME)));
        next.close();
        client.getLock(NAME).acquire().close();
        migration.finish();

        client.getLock(NAME).acquire().close();
    }

    private String nameAt(ClusterNode master) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "orders:" + i)
                .filter(name -> cluster.masterOf(name) == master)
                .findFirst()
                .orElseThrow();
    }

    /** Neither for a lock nor for the checks at a connect: operators watch the log of refusals. */
    @Test
    void enough_noChannelIsRefused() {
        cluster.nodes().forEach(node -> node.server().command("ACL", "LOG", "RESET"));
        Holdfast client = restricted("app", enough());
        for (ClusterNode master : cluster.masters()) {
            client.getLock(nameAt(master)).acquire().close();
        }
        eventually(client::isConnected);

        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(String.valueOf(node.server().command("ACL", "LOG")))
                        .doesNotContain("reason, channel"));
    }

    /** {@return enough but for the right to CLUSTER NODES, which is none of its own before Redis 7.0} */
    private static List<String> withoutNodes() {
        if (isSharded()) {
            return without("+cluster|nodes");
        }
        List<String> rights = without("+cluster");
        rights.add("+cluster|slots");
        return rights;
    }

    /** Without the right to CLUSTER NODES, the same works. */
    @Test
    void nodesMissing_everythingWorks() {
        assertEverythingWorks(restricted("app", withoutNodes()), restricted("rival", withoutNodes()));
    }

    /**
     * Only a replica that the cluster had not named is taken for a node of another one when it is promoted: its locks wait
     * until it names a node that is known, which its former master is as soon as it is back. A new replica is not named
     * before its first write; later on, no table can be read until it is promoted.
     */
    @Test
    void nodesMissing_unnamedReplica_isTakenForAStranger() {
        assumeTrue(isSharded(), "before Redis 7.0, CLUSTER SLOTS names a replica at once");
        try (RedisCluster shard = RedisCluster.builder().masters(1).start();
                CapturedWarnings warnings = new CapturedWarnings()) {
            ClusterNode master = shard.masters().get(0);
            ClusterNode replica = shard.replicasOf(master).get(0);
            Holdfast client = restricted(shard, List.of(master, replica), "app", withoutNodes());
            List<String> withoutTable = withoutNodes();
            assertThat(withoutTable.remove("+cluster|slots")).isTrue();
            shard.nodes().forEach(node -> setUser(node, "app", withoutTable));
            client.getLock(NAME).acquire().close();
            master.server().kill();
            shard.failover(replica, Failover.TAKEOVER);
            setUser(replica, "app", withoutNodes());
            eventually(() -> assertThat(warnings.text()).contains("is a node of another cluster"));
            assertThatThrownBy(() -> client.getLock(NAME).tryLock(Duration.ofMillis(300)))
                    .isInstanceOf(LockException.class);

            master.server().restart();

            get(client.getLock(NAME).acquireAsync()).close();
        }
    }

    /** Without the right to ask where the slots are, there is no client, and the message names the right. */
    @Test
    void slotsMissing_namesIt() {
        String right = isSharded() ? "+cluster|slots" : "+cluster";
        assertThatThrownBy(() -> restricted("lost", without(right)))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(DocumentedMessages.of("No right to `CLUSTER SLOTS`"));
    }

    /** Without the right to INFO, a node still says that it is one of a cluster. */
    @Test
    void infoMissing_works() {
        Holdfast client = restricted("uninformed", without("+info"));
        for (int i = 0; i < 20; i++) {
            client.getLock("orders:" + i).acquire().close();
        }
    }

    /**
     * Without the right to ASKING, a free lock of a slot that is being moved is acquired when the slot has been. One
     * warning names the right.
     */
    @Test
    void askingMissing_waitsForTheMove() {
        Holdfast client = restricted("patient", without("+asking"));
        CompletableFuture<Lease> waiting;
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            SlotMigration migration =
                    cluster.beginMigration(Slots.of(NAME), cluster.masterBeside(cluster.masterOf(NAME)));

            waiting = client.getLock(NAME).acquireAsync();
            eventually(() -> warnings.text().contains("+asking"));
            assertThatThrownBy(() -> client.getLock(NAME).tryLock(Duration.ofMillis(300)))
                    .isInstanceOf(LockException.class);
            migration.finish();
            assertThat(warnings.text().lines().filter(line -> line.contains("+asking")))
                    .singleElement()
                    .asString()
                    .contains(DocumentedMessages.of("No `ASKING`"));
        }
        get(waiting).close();
    }
}
