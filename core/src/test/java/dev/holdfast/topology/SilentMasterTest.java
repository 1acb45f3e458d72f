package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master that is stopped for longer than its replacement takes, and then continues. */
@Tag("topology")
class SilentMasterTest {
    /** Longer than the failover: the calls in flight do not end before the master continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    private static final Pattern EVALSHA = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 1);

    private final RedisCluster cluster = redis.cluster();

    private static Holdfast connect(ClusterNode seed) {
        return Holdfast.builder()
                .redisUri(seed.uri())
                .commandTimeout(COMMAND_TIMEOUT)
                .build();
    }

    /**
     * A deposed master that does not learn of its replacement grants what lies in its sockets, and the acquire that is
     * sent once more too. Another node is asked, so that neither is believed.
     */
    @Test
    void grant_ofADeposedMaster_isNotDelivered() {
        String name = "granted by a deposed master";
        try (RedisCluster apart = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .start()) {
            ClusterNode old = apart.masterOf(name);
            ClusterNode replica = apart.replicasOf(old).get(0);
            try (Holdfast late = connect(old);
                    Holdfast prompt = connect(replica)) {
                late.getLock(name).acquire().close();
                apart.nodes().stream().filter(node -> node != old).forEach(other -> old.server()
                        .command("CLUSTER", "FORGET", other.id()));
                old.server().pause();
                CompletableFuture<Lease> waiting = late.getLock(name).acquireAsync();
                apart.awaitMaster(replica);
                Lease held = prompt.getLock(name).acquire();

                old.server().resume();

                eventually(() -> waiting.isDone() || isListenedTo(replica));
                assertThat(waiting).isNotDone();
                held.close();
                get(waiting).close();
            }
        }
    }

    /** What it grants after a silence is asked for once more: it may have been replaced meanwhile. */
    @Test
    void grant_afterASilence_isAskedForTwice() {
        String name = "granted after a silence";
        try (RedisCluster one =
                RedisCluster.builder().masters(1).replicasPerMaster(0).start()) {
            RedisServer master = one.masters().get(0).server();
            try (Holdfast client = connect(one.masters().get(0))) {
                client.getLock(name).acquire().close();
                long before = scripts(master);
                master.pause();
                CompletableFuture<Lease> waiting = client.getLock(name).acquireAsync();
                Awaitility.await().pollDelay(LONGER_THAN_A_SILENCE).until(() -> true);

                master.resume();

                Lease lease = get(waiting);
                assertThat(scripts(master) - before).isEqualTo(2);
                lease.close();
            }
        }
    }

    /** So is an extension, and a re-entry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void extension_afterASilence_isAskedForTwice(boolean reentry) {
        String name = "extended after a silence";
        try (RedisCluster one =
                RedisCluster.builder().masters(1).replicasPerMaster(0).start()) {
            RedisServer master = one.masters().get(0).server();
            try (Holdfast client = connect(one.masters().get(0))) {
                OwnedLock owned = client.getLock(name).ownedBy(client.newOwnerId());
                get(owned.lockAsync());
                long before = scripts(master);
                master.pause();
                CompletableFuture<?> waiting = reentry ? owned.lockAsync() : owned.lockAsync(Duration.ofMinutes(2));
                Awaitility.await().pollDelay(LONGER_THAN_A_SILENCE).until(() -> true);

                master.resume();

                get(waiting);
                assertThat(scripts(master) - before).isEqualTo(2);
                get(owned.unlockAsync());
                get(owned.unlockAsync());
            }
        }
    }

    /** {@return whether somebody waits for a lock there} */
    private static boolean isListenedTo(ClusterNode node) {
        return node.server().command("PUBSUB", "SHARDCHANNELS") instanceof List<?> channels && !channels.isEmpty();
    }

    private static long scripts(RedisServer server) {
        Matcher calls = EVALSHA.matcher(String.valueOf(server.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** A client that has not used it so far does not wait for its connection, but asks who has taken its place. */
    @Test
    void connection_isNotAwaited() {
        String name = "first used after the failover";
        ClusterNode old = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(old).get(0);
        try (Holdfast client = connect(replica)) {
            old.server().pause();
            cluster.awaitMaster(replica);

            get(client.getLock(name).acquireAsync(), SOON).close();

            old.server().resume();
        }
        cluster.awaitReplicaOf(old, replica);
    }
}
