package dev.holdfast.interop;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.interop.BothLibraries.NAME;
import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Guarded;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.config.Config;

/**
 * One client of each library on one cluster: they exclude each other, and the release of one wakes the waiters of the
 * other, also after the lock has got another master. Without sharded channels (Redis 6.2) and with them.
 */
@Tag("interop")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a cluster of its own.
class ClusterInteropTest {

    static Stream<RedisBinary> servers() {
        return Stream.of(RedisBinary.embedded(), RedisBinary.byDefault());
    }

    static Stream<Arguments> changes() {
        return servers().flatMap(ClusterInteropTest::all);
    }

    private static Stream<Arguments> all(RedisBinary binary) {
        return Arrays.stream(Change.values()).map(each -> Arguments.of(binary, each));
    }

    /**
     * Without the move of a slot, after which a waiter of Redisson is not woken for certain: it does not listen at the new
     * master of a sharded channel, and may miss a message of another one. It attempts when the lease has ended that it saw.
     */
    static Stream<Arguments> changesThatTheyNotice() {
        return changes().filter(each -> each.get()[1] != Change.SLOT_MOVED);
    }

    /** How the lock gets another master. */
    enum Change {
        AGREED,
        TAKEN_OVER,
        KILLED,
        SLOT_MOVED
    }

    private static final class Both implements AutoCloseable, BothLibraries.Servers {
        private final RedisCluster cluster;
        private final BothLibraries libraries;

        Both(RedisBinary binary) {
            cluster = RedisCluster.builder().binary(binary).start();
            Config config = new Config();
            config.useClusterServers()
                    .setMasterConnectionMinimumIdleSize(1)
                    .setSlaveConnectionMinimumIdleSize(1)
                    .addNodeAddress(cluster.uris().toArray(String[]::new))
                    .setScanInterval(BothLibraries.SCANNED_MILLIS);
            libraries = new BothLibraries(cluster.uris().get(0), config);
        }

        @Override
        public ClusterNode master() {
            return cluster.masterOf(NAME);
        }

        private ClusterNode replica() {
            return cluster.replicasOf(master()).get(0);
        }

        @Override
        public void awaitInSync() {
            cluster.awaitInSync(replica());
        }

        /** Before Redis 7.0, clients may listen at any node. */
        @Override
        public boolean areListenedTo() {
            boolean isSharded = !master().server().version().startsWith("6.");
            return isSharded
                    ? isListenedTo(master(), "SHARDCHANNELS")
                    : cluster.nodes().stream()
                            .filter(node -> node.server().isRunning())
                            .anyMatch(node -> isListenedTo(node, "CHANNELS"));
        }

        private static boolean isListenedTo(DataNode node, String channels) {
            return !((List<?>) Objects.requireNonNull(node.server().command("PUBSUB", channels, "redisson_lock*")))
                    .isEmpty();
        }

        void happens(Change change) {
            switch (change) {
                case AGREED -> failOver(Failover.AGREED);
                case TAKEN_OVER -> failOver(Failover.TAKEOVER);
                case KILLED -> {
                    ClusterNode replica = replica();
                    master().server().kill();
                    cluster.awaitMaster(replica);
                }
                case SLOT_MOVED -> {
                    ClusterNode target = cluster.masterBeside(master());
                    cluster.migrate(Slots.of(NAME), target);
                }
            }
        }

        void failOver(Failover kind) {
            ClusterNode former = master();
            ClusterNode replica = replica();
            cluster.failover(replica, kind);
            cluster.awaitReplicaOf(former, replica);
        }

        @Override
        public void close() {
            libraries.close();
            cluster.close();
        }
    }

    /** While Redisson holds the lock, a waiter of ours does not get it, and is woken by the release. */
    @ParameterizedTest
    @MethodSource("servers")
    void release_theirs_wakesOurWaiter(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            both.libraries.theirs().lock(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(both.libraries.ours().tryLock()).isFalse();
            CompletableFuture<Void> waiter = passesThrough(both.libraries.ours());
            eventually(both::areListenedTo);

            both.libraries.theirs().unlock();

            assertThat(waiter).succeedsWithin(PROMPTLY);
        }
    }

    /** And the reverse. */
    @ParameterizedTest
    @MethodSource("servers")
    void release_ours_wakesTheirWaiter(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            both.libraries.ours().lock(LONG);
            assertThat(both.libraries.theirs().tryLock()).isFalse();
            CompletableFuture<Void> waiter = passesThrough(both.libraries.theirs());
            eventually(both::areListenedTo);

            both.libraries.ours().unlock();

            assertThat(waiter).succeedsWithin(PROMPTLY);
        }
    }

    /** Redisson's hold goes on at the new master of the lock, and its release there wakes our waiter. */
    @ParameterizedTest
    @MethodSource("changes")
    void otherMaster_theirsIsKept_wakesOurWaiter(RedisBinary binary, Change change) {
        try (Both both = new Both(binary)) {
            both.libraries.theyHoldThrough(both, () -> both.happens(change));
        }
    }

    /** And the reverse. */
    @ParameterizedTest
    @MethodSource("changesThatTheyNotice")
    void otherMaster_oursIsKept_wakesTheirWaiter(RedisBinary binary, Change change) {
        try (Both both = new Both(binary)) {
            both.libraries.weHoldThrough(both, () -> both.happens(change));
        }
    }

    /** Threads of both go on, one at a time, while a replica takes the place of its master, which waits for it. */
    @ParameterizedTest
    @MethodSource("servers")
    void failedOver_excludeEachOther(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            Guarded guarded = new Guarded();
            BothLibraries.Traffic traffic = both.libraries.new Traffic(guarded);
            eventually(() -> guarded.entered() > 100);

            both.failOver(Failover.AGREED);

            int before = guarded.entered();
            await().atMost(BothLibraries.EXPIRED).until(() -> guarded.entered() > before + 100);
            traffic.stop(BothLibraries.EXPIRED);
        }
    }

    /** The same while the slot of the lock goes to another master and back. */
    @ParameterizedTest
    @MethodSource("servers")
    void slotMoved_excludeEachOther(RedisBinary binary) {
        try (Both both = new Both(binary)) {
            Guarded guarded = new Guarded();
            BothLibraries.Traffic traffic = both.libraries.new Traffic(guarded);
            eventually(() -> guarded.entered() > 100);

            for (int i = 0; i < 2; i++) {
                both.happens(Change.SLOT_MOVED);

                int before = guarded.entered();
                await().atMost(BothLibraries.EXPIRED).until(() -> guarded.entered() > before + 100);
            }
            traffic.stop(BothLibraries.EXPIRED);
        }
    }
}
