package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.topology.CommandStats.scripts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockListener;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master that is silent for a moment: what it says next is believed once others say that it is still the master. */
@Tag("topology")
@Tag("slow")
class SilentMasterTest {
    /** Longer than a failover: the calls in flight do not end before the master continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    private static final String NAME = "granted after a silence";

    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 1);

    private final RedisCluster cluster = redis.cluster();

    private static Holdfast connect(ClusterNode seed) {
        return Holdfast.builder()
                .redisUri(seed.uri())
                .commandTimeout(COMMAND_TIMEOUT)
                .build();
    }

    private static void useAllMasters(Holdfast client, RedisCluster cluster) {
        cluster.masters()
                .forEach(master ->
                        client.getLock(cluster.keyAt(master)).acquire().close());
    }

    /** A grant after a silence is believed once others have said that this node is still the master. */
    @RealTime
    void grant_afterASilence_isConfirmed() {
        String name = "granted by a master that was idle";
        RedisServer master = cluster.masterOf(name).server();
        try (Holdfast client = connect(cluster.masterOf(name))) {
            useAllMasters(client, cluster);
            client.getLock(name).acquire().close();
            pass(LONGER_THAN_A_SILENCE);
            long before = scripts(master);
            Lease lease = client.getLock(name).acquire();
            assertThat(scripts(master) - before).isEqualTo(1);
            lease.close();
        }
    }

    /** If all others hang, who are asked one after the other, it is asked for once more, and that counts. */
    @RealTime
    void grant_afterASilence_othersHang() {
        try (RedisCluster hung = RedisCluster.builder()
                .nodeTimeout(Duration.ofMinutes(1))
                .config("cluster-require-full-coverage", "no")
                .start()) {
            ClusterNode master = hung.masterOf(NAME);
            try (Holdfast client = Holdfast.connect(master.uri())) {
                client.getLock(NAME).acquire().close();
                List<ClusterNode> others =
                        hung.nodes().stream().filter(node -> node != master).toList();
                others.forEach(node -> node.server().pause());
                pass(LONGER_THAN_A_SILENCE);
                long before = scripts(master.server());
                Lease lease = get(client.getLock(NAME).acquireAsync(), SOON);
                assertThat(scripts(master.server()) - before).isEqualTo(2);
                lease.close();
                others.forEach(node -> node.server().resume());
            }
        }
    }

    /** Under sentinels, that no longer answer, the same goes without another connection. */
    @RealTime
    void grant_afterASilence_sentinelsHang() {
        AtomicInteger lost = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void disconnected(ConnectionEvent.Disconnected event) {
                lost.incrementAndGet();
            }
        };
        try (RedisSentinels sentinels = RedisSentinels.start();
                Holdfast client = Holdfast.builder()
                        .redisUri(sentinels.uri())
                        .addListener(listener)
                        .build()) {
            RedisServer master = sentinels.master().server();
            client.getLock(NAME).acquire().close();
            sentinels.sentinels().forEach(RedisServer::pause);
            pass(LONGER_THAN_A_SILENCE);
            long before = scripts(master);
            Lease lease = get(client.getLock(NAME).acquireAsync(), SOON);
            assertThat(scripts(master) - before).isEqualTo(2);
            lease.close();
            assertThat(lost).hasValue(0);
            sentinels.sentinels().forEach(RedisServer::resume);
        }
    }

    private static void pass(Duration time) {
        Patience.await().pollDelay(time).until(() -> true);
    }

    /** If there is no other node, none can have replaced it: it counts. */
    @RealTime
    void grant_afterASilence_noOtherNode() {
        try (RedisCluster one =
                RedisCluster.builder().masters(1).replicasPerMaster(0).start()) {
            RedisServer master = one.masters().get(0).server();
            try (Holdfast client = connect(one.masters().get(0))) {
                client.getLock(NAME).acquire().close();
                long before = scripts(master);
                master.pause();
                CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
                pass(LONGER_THAN_A_SILENCE);

                master.resume();

                Lease lease = get(waiting);
                assertThat(scripts(master) - before).isEqualTo(1);
                lease.close();
            }
        }
    }

    /** If nobody answers, an extension is asked for twice, too, and a re-entry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void extension_afterASilence_isAskedForTwice(boolean reentry) {
        try (RedisCluster pair = RedisCluster.builder()
                .masters(2)
                .replicasPerMaster(0)
                .nodeTimeout(Duration.ofMinutes(1))
                .start()) {
            RedisServer master = pair.masterOf(NAME).server();
            RedisServer other = pair.masters().stream()
                    .map(ClusterNode::server)
                    .filter(server -> server != master)
                    .findAny()
                    .orElseThrow();
            try (Holdfast client = connect(pair.masterOf(NAME))) {
                OwnedLock owned = client.getLock(NAME).ownedBy(client.newOwnerId());
                get(owned.lockAsync());
                long before = scripts(master);
                other.pause();
                master.pause();
                CompletableFuture<?> waiting = reentry ? owned.lockAsync() : owned.lockAsync(Duration.ofMinutes(2));
                pass(LONGER_THAN_A_SILENCE);

                master.resume();

                get(waiting);
                assertThat(scripts(master) - before).isEqualTo(2);
                get(owned.unlockAsync());
                get(owned.unlockAsync());
                other.resume();
            }
        }
    }

    /** A client that has not used it so far does not wait for its connection, but asks who has taken its place. */
    @Test
    void connection_isNotAwaited() {
        String name = "first used after the failover";
        ClusterNode old = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(old).get(0);
        ClusterNode other = cluster.masterBeside(old);
        old.server().pause();
        try (Holdfast client = connect(other)) {
            cluster.awaitMaster(replica);

            get(client.getLock(name).acquireAsync(), SOON).close();

            old.server().resume();
        }
        cluster.awaitReplicaOf(old, replica);
    }
}
