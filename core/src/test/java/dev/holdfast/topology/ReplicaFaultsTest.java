package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas that come, go, or fall silent while a master waits for them. One of two replicas is paused as a rule. */
@Tag("topology")
@Tag("slow")
final class ReplicaFaultsTest {
    private static final String NAME = "orders:42";

    /** Long enough to do something while the master waits. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @AutoClose
    private final RedisCluster cluster =
            RedisCluster.builder().masters(1).replicasPerMaster(2).proxied().start();

    private final ClusterNode master = cluster.masters().get(0);
    private final List<ClusterNode> replicas = cluster.replicasOf(master);
    private final ClusterNode steady = replicas.get(0);
    private final ClusterNode faulty = replicas.get(1);

    private Holdfast connect() {
        return Holdfast.builder()
                .redisUri(master.uri())
                .replicated(2, TIMEOUT)
                .commandTimeout(TIMEOUT.multipliedBy(2))
                .build();
    }

    /** {@return the id of the connection that waits for replicas} */
    private static String waits(RedisServer server) {
        return server.clients().stream()
                .filter(line -> line.contains(" flags=b ") && line.contains(" cmd=wait "))
                .map(line -> line.substring(line.indexOf('=') + 1, line.indexOf(' ')))
                .findFirst()
                .orElse("");
    }

    /** Begins to acquire, and returns when the master waits for a replica that does not answer. */
    private CompletableFuture<Lease> acquireUnconfirmed(Holdfast client) {
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        eventually(() -> !waits(master.server()).isEmpty());
        assertThat(waiting).isNotDone();
        return waiting;
    }

    private void unblock(String how) {
        master.server().command("CLIENT", "UNBLOCK", waits(master.server()), how);
    }

    /** A wait that is ended early counts the replicas that have confirmed by then. */
    @Test
    void unblocked_countIsTooSmall_isGivenBack() {
        try (Holdfast client = connect()) {
            faulty.server().pause();
            CompletableFuture<Lease> waiting = acquireUnconfirmed(client);

            unblock("TIMEOUT");

            assertThatThrownBy(() -> get(waiting))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll("1 of 2 replicas", "given back");
            eventually(() -> master.server().keys().isEmpty());
            faulty.server().resume();
        }
    }

    /** One that ends with an error says nothing: the replicas are asked again, and the caller waits for them. */
    @Test
    void unblocked_withAnError_isAskedAgain() {
        try (Holdfast client = connect()) {
            faulty.server().pause();
            CompletableFuture<Lease> waiting = acquireUnconfirmed(client);

            unblock("ERROR");

            eventually(() -> waiting.isDone() || !waits(master.server()).isEmpty());
            assertThat(waiting).isNotDone();
            faulty.server().resume();
            try (Lease lease = get(waiting)) {
                assertThat(lease.isValid()).isTrue();
                assertThat(faulty.server().keys()).contains(NAME);
            }
        }
    }

    /** A master that is replaced while it waits grants nothing: its successor is asked, and has too few replicas. */
    @Test
    void demoted_whileItWaits_isGivenBack() {
        try (Holdfast client = connect()) {
            faulty.server().pause();
            CompletableFuture<Lease> waiting = acquireUnconfirmed(client);

            cluster.failover(steady, Failover.TAKEOVER);

            assertThatThrownBy(() -> get(waiting))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("of 2 replicas");
            eventually(() -> steady.server().keys().isEmpty());
            faulty.server().resume();
        }
    }

    /** The link to a replica is cut while the master waits for it: the grant counts when the replica is back and has it. */
    @Test
    void linkCut_whileTheMasterWaits_countsAgain() {
        try (Holdfast client = connect()) {
            faulty.server().pause();
            CompletableFuture<Lease> waiting = acquireUnconfirmed(client);
            CompletableFuture<Boolean> replicated =
                    waiting.thenApply(lease -> faulty.server().keys().contains(NAME));

            master.server().command("CLIENT", "KILL", "TYPE", "replica");
            faulty.server().resume();

            assertThat(get(replicated)).isTrue();
            assertThat(steady.server().keys()).contains(NAME);
            get(waiting).close();
        }
    }

    /** While a replica is missing, nothing is granted; once another one has taken its place, it has what is held, too. */
    @Test
    void replicas_comeAndGo() {
        try (Holdfast client = connect()) {
            Lease lease = client.getLock(NAME).acquire();

            cluster.remove(faulty);
            assertThatThrownBy(() -> client.getLock("another").tryLock()).hasMessageContaining("1 of 2 replicas");
            ClusterNode added = cluster.addReplica(master);
            client.getLock("another").acquire().close();

            assertThat(lease.isValid()).isTrue();
            assertThat(added.server().keys()).containsExactly(NAME);
            lease.close();
        }
    }
}
