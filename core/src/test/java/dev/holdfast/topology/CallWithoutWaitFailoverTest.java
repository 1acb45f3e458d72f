package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.CallsWithoutWait;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A call without a wait does not wait for a failover, which may take a minute here: it ends within a command timeout, and at
 * once if the lock's master has had no connection for so long.
 */
@Tag("topology")
@Tag("slow")
class CallWithoutWaitFailoverTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(700);

    private static final Duration FAILOVER = Duration.ofMinutes(1);

    /** Far less than a failover takes here, however busy the machine is. */
    private static final Duration SOON = Duration.ofSeconds(15);

    /** All but the one with several locks, which may be of different slots. */
    private static final Set<CallsWithoutWait> CALLS = EnumSet.complementOf(EnumSet.of(CallsWithoutWait.MULTI_LOCK));

    private static Holdfast connect(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .commandTimeout(COMMAND_TIMEOUT)
                .failoverTimeout(FAILOVER)
                .build();
    }

    /** One master of a cluster hangs, and has no replica: the locks of the others are acquired all the time. */
    @Test
    void cluster_oneMasterHangs() throws InterruptedException {
        try (RedisCluster cluster = RedisCluster.builder()
                        .replicasPerMaster(0)
                        .config("cluster-require-full-coverage", "no")
                        .start();
                Holdfast client = connect(cluster.masters().get(1).uri())) {
            String name = cluster.keyAt(cluster.masters().get(0));
            String other = cluster.keyAt(cluster.masters().get(1));
            client.getLock(other).acquire().close();

            assertEndsWhileItHangs(client, name, cluster.masterOf(name).server());

            assertThat(client.getLock(other).tryLock()).isTrue();
            client.getLock(other).unlock();
        }
    }

    /** A node that nothing has needed so far is connected to first, however long the client has been open. */
    @Test
    void cluster_firstCallForANode_isNotRefused() {
        try (RedisCluster cluster = RedisCluster.builder().replicasPerMaster(0).start();
                Holdfast client = Holdfast.builder()
                        .redisUri(cluster.masters().get(0).uri())
                        .commandTimeout(Duration.ofSeconds(3))
                        .build()) {
            long since = System.nanoTime();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() ->
                            System.nanoTime() - since > Duration.ofSeconds(4).toNanos());

            for (var master : cluster.masters()) {
                assertThat(client.getLock(cluster.keyAt(master)).tryLock()).isTrue();
                client.getLock(cluster.keyAt(master)).unlock();
            }
        }
    }

    /** The master hangs, and its sentinels have not noticed that. */
    @Test
    void sentinels_masterHangs() throws InterruptedException {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(0).start();
                Holdfast client = connect(sentinels.uri())) {
            sentinels.downAfter(FAILOVER);
            assertEndsWhileItHangs(client, "orders:42", sentinels.master().server());
        }
    }

    private static void assertEndsWhileItHangs(Holdfast client, String name, RedisServer master)
            throws InterruptedException {
        for (CallsWithoutWait call : CALLS) {
            call.prepare(client, name);
        }
        master.pause();

        for (CallsWithoutWait call : CALLS) {
            assertThat(failureOf(call, client, name)).as("%s", call).hasMessageContaining(name);
        }
        assertThat(failureOf(CallsWithoutWait.TRY_LOCK, client, name))
                .hasMessageContaining("there has been no connection to Redis for");

        master.resume();
        eventually(() -> assertThatCode(client.getLock(name)::isLocked).doesNotThrowAnyException());
        for (CallsWithoutWait call : CALLS) {
            call.cleanUp(client, name);
        }
        eventually(() -> !client.getLock(name).isLocked());
    }

    private static LockException failureOf(CallsWithoutWait call, Holdfast client, String name) {
        return catchThrowableOfType(LockException.class, () -> get(elsewhere(() -> call.run(client, name)), SOON));
    }
}
