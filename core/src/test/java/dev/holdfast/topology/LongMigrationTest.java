package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A slot with many keys is on its way for longer than leases, and than the longest wait for a reply: all that time, its old
 * master refers commands about the locks that have moved to the new one.
 */
@Tag("topology")
@Tag("slow")
class LongMigrationTest {
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration LONG = LEASE.multipliedBy(2);

    private static final String HELD = "{on its way}:held";
    private static final String FREE = "{on its way}:free";

    static Stream<RedisBinary> servers() {
        return Stream.of(RedisBinary.embedded(), RedisBinary.byDefault());
    }

    private static Holdfast connect(RedisCluster cluster) {
        return Holdfast.builder()
                .redisUri(cluster.uris().get(0))
                .watchdogTimeout(LEASE)
                .commandTimeout(LEASE.dividedBy(3))
                .build();
    }

    /** A hold is renewed where its lock is, free locks are acquired and released there, and a waiter waits, and is woken. */
    @ParameterizedTest
    @MethodSource("servers")
    void held_free_andWaitedFor(RedisBinary binary) {
        try (RedisCluster cluster = RedisCluster.builder().binary(binary).start();
                Holdfast client = connect(cluster);
                Holdfast rival = connect(cluster)) {
            ClusterNode source = cluster.masterOf(HELD);
            ClusterNode target = cluster.masterBeside(source);
            Lease lease = client.getLock(HELD).acquire();
            CompletableFuture<Lease> waiting = rival.getLock(HELD).acquireAsync();
            eventually(() -> rival.stats().waiters() == 1);
            SlotMigration migration = cluster.beginMigration(Slots.of(HELD), target);
            migration.moveKey(HELD);

            await().during(LONG).atMost(LONG.plus(SOON)).until(() -> {
                client.getLock(FREE).acquire().close();
                rival.getLock(FREE).acquire().close();
                return lease.isValid()
                        && !waiting.isDone()
                        && !rival.getLock(HELD).tryLock();
            });
            lease.close();
            Lease next = get(waiting);
            assertThat(next.isValid()).isTrue();
            assertThat(target.server().keys()).contains(HELD);

            migration.finish();
            assertThat(next.isValid()).isTrue();
            assertThat(client.getLock(HELD).tryLock()).isFalse();
            next.close();
            assertThat(target.server().keys()).doesNotContain(HELD, FREE);
        }
    }
}
