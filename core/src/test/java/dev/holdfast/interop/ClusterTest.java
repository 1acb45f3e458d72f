package dev.holdfast.interop;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * One client of each library on one cluster: they exclude each other, and the release of one wakes the waiters of the
 * other, also after the lock has got another master. Without sharded channels (Redis 6.2) and with them.
 */
@Tag("interop")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a cluster of its own.
class ClusterTest {
    /** Redisson looks for changes of the cluster at this interval. */
    private static final Duration SCANNED = Duration.ofMillis(500);

    private static final Duration NOTICED = Duration.ofSeconds(10);

    private static final String NAME = "shared by both";

    static Stream<RedisBinary> servers() {
        return Stream.of(RedisBinary.embedded(), RedisBinary.byDefault());
    }

    private static final class Both implements AutoCloseable {
        private final RedisCluster cluster;
        private final Holdfast holdfast;
        private final RedissonClient redisson;
        private final DistributedLock ours;
        private final RLock theirs;

        Both(RedisBinary binary) {
            cluster = RedisCluster.builder().binary(binary).start();
            holdfast = Holdfast.connect(cluster.uris().get(0));
            Config config = new Config();
            config.useClusterServers()
                    .addNodeAddress(cluster.uris().toArray(String[]::new))
                    .setScanInterval((int) SCANNED.toMillis());
            redisson = Redisson.create(config);
            ours = holdfast.getLock(NAME);
            theirs = redisson.getLock(NAME);
        }

        ClusterNode master() {
            return cluster.masterOf(NAME);
        }

        /** Returns once somebody listens for the release at one of the nodes. Before Redis 7.0, that may be any node. */
        void awaitListener(List<ClusterNode> nodes) {
            eventually(() -> nodes.stream().anyMatch(Both::isListenedTo));
        }

        private static boolean isListenedTo(ClusterNode node) {
            String channels = node.server().version().startsWith("6.") ? "CHANNELS" : "SHARDCHANNELS";
            return !((List<?>) Objects.requireNonNull(node.server().command("PUBSUB", channels, "redisson_lock*")))
                    .isEmpty();
        }

        @Override
        public void close() {
            holdfast.close();
            redisson.shutdown();
            cluster.close();
        }
    }

    /** While Redisson holds the lock, a waiter of ours does not get it, and is woken by the release. */
    @ParameterizedTest
    @MethodSource("servers")
    void release_theirs_wakesOurWaiter(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            both.theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(both.ours.tryLock()).isFalse();
            CompletableFuture<Void> waiter = passesThrough(both.ours);
            both.awaitListener(both.cluster.nodes());

            both.theirs.unlock();

            assertThat(waiter).succeedsWithin(PROMPTLY);
        }
    }

    /** And the reverse. */
    @ParameterizedTest
    @MethodSource("servers")
    void release_ours_wakesTheirWaiter(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            both.ours.lock(LONG);
            assertThat(both.theirs.tryLock()).isFalse();
            CompletableFuture<Void> waiter = passesThrough(both.theirs);
            both.awaitListener(both.cluster.nodes());

            both.ours.unlock();

            assertThat(waiter).succeedsWithin(PROMPTLY);
        }
    }

    /** A waiter is woken by the other library's release at the new master of the slot. */
    @ParameterizedTest
    @MethodSource("servers")
    void slotMoved_releaseWakesTheOther(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            both.theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
            CompletableFuture<Void> waiter = passesThrough(both.ours);
            both.awaitListener(both.cluster.nodes());
            ClusterNode target = both.cluster.masters().stream()
                    .filter(node -> node != both.master())
                    .findFirst()
                    .orElseThrow();

            both.cluster.migrate(Slots.of(NAME), target);

            both.awaitListener(List.of(target));
            both.theirs.unlock();
            assertThat(waiter).succeedsWithin(NOTICED);
        }
    }

    /** Threads of both go on, one at a time, while a replica takes the place of its master, which waits for it. */
    @ParameterizedTest
    @MethodSource("servers")
    void failedOver_excludeEachOther(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            Guarded guarded = new Guarded();
            AtomicBoolean stopped = new AtomicBoolean();
            CompletableFuture<Void> ours = repeatedly(both.ours, guarded, stopped);
            CompletableFuture<Void> theirs = repeatedly(both.theirs, guarded, stopped);
            eventually(() -> guarded.entered() > 100);
            ClusterNode master = both.master();
            ClusterNode replica = both.cluster.replicasOf(master).get(0);

            both.cluster.failover(replica, Failover.AGREED);
            both.cluster.awaitReplicaOf(master, replica);

            int before = guarded.entered();
            eventually(() -> guarded.entered() > before + 100);
            stopped.set(true);
            assertThat(CompletableFuture.allOf(ours, theirs)).succeedsWithin(NOTICED);
            guarded.assertEntered(guarded.entered());
        }
    }

    private static CompletableFuture<Void> repeatedly(Lock lock, Guarded guarded, AtomicBoolean stopped) {
        return inNewThread(() -> {
            while (!stopped.get()) {
                under(lock, guarded::enter);
            }
        });
    }
}
