package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rights of a Redis user that {@code docs/topologies.md} names for a cluster, and what is done without one. */
@Tag("topology")
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
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", user, "reset", "on", ">secret"));
        command.addAll(rights);
        for (ClusterNode node : cluster.nodes()) {
            node.server().command(command.toArray(String[]::new));
        }
        RedisURI seed = RedisURI.builder(RedisURI.create(cluster.nodes().get(0).uri()))
                .withAuthentication(user, "secret")
                .build();
        Holdfast client = Holdfast.builder().redisUri(seed).build();
        clients.add(client);
        return client;
    }

    private static List<String> without(String right) {
        List<String> rights = enough();
        assertThat(rights.remove(right)).isTrue();
        return rights;
    }

    private ClusterNode other() {
        ClusterNode master = cluster.masterOf(NAME);
        return cluster.masters().stream()
                .filter(node -> node != master)
                .findFirst()
                .orElseThrow();
    }

    /** Two clients with these rights alone wait for each other, with tokens, and follow a slot that is moved. */
    @Test
    void enough_everythingWorks() {
        Holdfast client = restricted("app", enough());
        Holdfast rival = restricted("rival", enough());
        Lease held = client.getFencedLock(NAME).acquire();
        CompletableFuture<Lease> waiting = rival.getFencedLock(NAME).acquireAsync();
        eventually(() -> client.getLock(NAME).inspect().clientsInLine() == (isSharded() ? 1 : 0)
                && rival.stats().waiters() == 1);

        held.close();
        Lease next = get(waiting);
        assertThat(next.token()).isGreaterThan(held.token());
        SlotMigration migration = cluster.beginMigration(Slots.of(NAME), other());
        next.close();
        client.getLock(NAME).acquire().close();
        migration.finish();

        client.getLock(NAME).acquire().close();
    }

    /** Without the right to ask where the slots are, there is no client, and the message names the right. */
    @Test
    void slotsMissing_namesIt() {
        String right = isSharded() ? "+cluster|slots" : "+cluster";
        assertThatThrownBy(() -> restricted("lost", without(right)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+cluster|slots");
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
            SlotMigration migration = cluster.beginMigration(Slots.of(NAME), other());

            waiting = client.getLock(NAME).acquireAsync();
            eventually(() -> warnings.text().contains("+asking"));
            assertThatThrownBy(() -> client.getLock(NAME).tryLock(Duration.ofMillis(300)))
                    .isInstanceOf(LockException.class);
            migration.finish();
            assertThat(warnings.text().lines().filter(line -> line.contains("+asking")))
                    .hasSize(1);
        }
        get(waiting).close();
    }
}
