package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.RealTime;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks whose slots are moved from one master of a cluster to another. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterMovesTest {
    private static final int THREADS = 8;

    private static final Duration FAR_LONGER_THAN_A_TEST = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 1);

    private final RedisCluster cluster = redis.cluster();
    private final Holdfast client = redis.client();
    private final Holdfast rival = redis.rival();

    /** {@return a waiter that attempts when it is woken, and not by itself: neither its timeout ends soon, nor the lease} */
    private static Holdfast patient() {
        return redis.connect(builder ->
                builder.commandTimeout(FAR_LONGER_THAN_A_TEST).watchdogTimeout(FAR_LONGER_THAN_A_TEST.multipliedBy(2)));
    }

    private static CompletableFuture<Lease> waiting(Holdfast waiter, String name) {
        CompletableFuture<Lease> waiting = waiter.getLock(name).acquireAsync();
        eventually(() -> waiter.stats().waiters() == 1);
        return waiting;
    }

    /** The deadlines of its later calls are not spent on connecting. */
    private void useAllMasters(Holdfast holdfast) {
        cluster.masters()
                .forEach(master ->
                        holdfast.getLock(cluster.keyAt(master)).acquire().close());
    }

    private void migrate(String name) {
        cluster.migrate(Slots.of(name), cluster.masterBeside(cluster.masterOf(name)));
    }

    /** A hold outlives the move of its slot, and is released where it is then. */
    @Test
    void held_isReleasedAtTheNewMaster() {
        String name = "held while moved";
        try (Lease lease = client.getLock(name).acquire()) {
            migrate(name);
            assertThat(lease.isValid()).isTrue();
            assertThat(rival.getLock(name).tryLock()).isFalse();
        }
        assertThat(redis.keys()).doesNotContain(name);
    }

    /** A waiter of another client hears of the release at the new master. */
    @Test
    void waitedFor_isGrantedAfterTheMove() {
        String name = "waited for while moved";
        Lease lease = client.getLock(name).acquire(FAR_LONGER_THAN_A_TEST);
        try (Holdfast waiter = patient()) {
            CompletableFuture<Lease> waiting = waiting(waiter, name);

            migrate(name);
            lease.close();

            get(waiting).close();
        }
    }

    /** The same if a replica takes the place of the master: without a vote, which another test may need at that time. */
    @Test
    void waitedFor_isGrantedAfterTheFailover() {
        String name = "waited for while failed over";
        ClusterNode master = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(master).get(0);
        Lease lease = client.getLock(name).acquire(FAR_LONGER_THAN_A_TEST);
        try (Holdfast waiter = patient()) {
            CompletableFuture<Lease> waiting = waiting(waiter, name);
            cluster.awaitInSync(replica);

            cluster.failover(replica, Failover.TAKEOVER);
            lease.close();

            get(waiting).close();
        }
        cluster.awaitReplicaOf(master, replica);
    }

    /** A free lock of a slot that is on its way is acquired where the slot goes. */
    @Test
    void migrating_freeLock_isAcquired() {
        String name = "acquired on the way";
        ClusterNode target = cluster.masterBeside(cluster.masterOf(name));
        SlotMigration migration = cluster.beginMigration(Slots.of(name), target);

        Lease lease = get(client.getLock(name).acquireAsync());
        assertThat(target.server().keys()).contains(name);
        assertThat(rival.getLock(name).tryLock()).isFalse();
        migration.finish();

        lease.close();
        assertThat(redis.keys()).doesNotContain(name);
    }

    /** A lock that is moved by itself is found, and found again if the migration is given up. */
    @Test
    void migrating_aborted() {
        String name = "moved back";
        SlotMigration migration = cluster.beginMigration(Slots.of(name), cluster.masterBeside(cluster.masterOf(name)));
        Lease lease = client.getLock(name).acquire();
        assertThat(rival.getLock(name).tryLock()).isFalse();

        migration.abort();

        assertThat(rival.getLock(name).tryLock()).isFalse();
        lease.close();
        rival.getLock(name).acquire().close();
    }

    /** A fenced lock has two keys, and its tokens grow across a move. */
    @Test
    void fenced_tokensGrow() {
        String name = "fenced and moved";
        long before;
        try (Lease lease = client.getFencedLock(name).acquire()) {
            before = lease.token();
        }
        migrate(name);
        try (Lease lease = rival.getFencedLock(name).acquire()) {
            assertThat(lease.token()).isGreaterThan(before);
        }
    }

    /**
     * While one of the two keys of a fenced lock has been moved, no command about it is executed: its holder keeps it, and
     * an attempt with a deadline fails. All goes on with the other key.
     */
    @Test
    void fenced_halfMoved_waitsForTheOtherKey() {
        String name = "fenced and half moved";
        useAllMasters(rival);
        Lease lease = client.getFencedLock(name).acquire();
        SlotMigration migration = cluster.beginMigration(Slots.of(name), cluster.masterBeside(cluster.masterOf(name)));
        migration.moveKey(name);

        assertThatThrownBy(() -> rival.getFencedLock(name).tryLock(Duration.ofMillis(300)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("TRYAGAIN");
        CompletableFuture<Lease> waiting = rival.getFencedLock(name).acquireAsync();
        CompletableFuture<?> closed = elsewhere(() -> {
            lease.close();
            return null;
        });
        assertThat(lease.lost()).isNotDone();
        assertThat(waiting).isNotDone();
        migration.finish();

        get(closed);
        Lease next = get(waiting);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
        assertThat(redis.keys()).doesNotContain(name);
    }

    /** The same if the migration is given up, and the key that was moved is moved back. */
    @Test
    void fenced_halfMoved_aborted() {
        String name = "fenced and half moved back";
        useAllMasters(rival);
        Lease lease = client.getFencedLock(name).acquire();
        SlotMigration migration = cluster.beginMigration(Slots.of(name), cluster.masterBeside(cluster.masterOf(name)));
        migration.moveKey(name);
        CompletableFuture<Lease> waiting = rival.getFencedLock(name).acquireAsync();
        assertThatThrownBy(() -> rival.getFencedLock(name).tryLock(Duration.ofMillis(300)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("TRYAGAIN");

        migration.abort();

        assertThat(lease.isValid()).isTrue();
        lease.close();
        Lease next = get(waiting);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    /**
     * A free fenced lock of a slot that is on its way is acquired at the end of that: its two keys are on no node both.
     */
    @Test
    void fenced_free_waitsForTheEndOfTheMove() {
        String name = "fenced and free";
        useAllMasters(rival);
        long before;
        try (Lease lease = client.getFencedLock(name).acquire()) {
            before = lease.token();
        }
        ClusterNode target = cluster.masterBeside(cluster.masterOf(name));
        SlotMigration migration = cluster.beginMigration(Slots.of(name), target);
        CompletableFuture<Lease> waiting = client.getFencedLock(name).acquireAsync();
        assertThatThrownBy(() -> rival.getFencedLock(name).tryLock(Duration.ofMillis(300)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("TRYAGAIN");
        migration.moveKeys();
        assertThatThrownBy(() -> rival.getFencedLock(name).tryLock(Duration.ofMillis(300)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("TRYAGAIN");
        assertThat(waiting).isNotDone();

        migration.finish();

        try (Lease lease = get(waiting)) {
            assertThat(target.server().keys()).contains(name);
            assertThat(lease.token()).isGreaterThan(before);
        }
    }

    /** A slot that is moved and moved back at once: the holder keeps its lock, and the waiter hears of the release. */
    @Test
    void waitedFor_movedBackAtOnce() {
        String name = "moved to and fro";
        ClusterNode first = cluster.masterOf(name);
        ClusterNode second = cluster.masterBeside(first);
        Lease lease = client.getLock(name).acquire(FAR_LONGER_THAN_A_TEST);
        try (Holdfast waiter = patient()) {
            CompletableFuture<Lease> waiting = waiting(waiter, name);

            for (int i = 0; i < 3; i++) {
                cluster.migrate(Slots.of(name), second);
                cluster.migrate(Slots.of(name), first);
            }

            assertThat(lease.isValid()).isTrue();
            assertThat(first.server().keys()).contains(name);
            lease.close();
            get(waiting).close();
        }
    }

    /** Two clients with many threads pass a lock on while its slot goes to and fro: never two owners, and no end. */
    @Test
    void contended_whileMoved() {
        String name = "contended while moved";
        Guarded guarded = new Guarded();
        Crowd crowd = new Crowd(client.getLock(name), THREADS, guarded);
        Crowd rivals = new Crowd(rival.getLock(name), THREADS, guarded);
        for (int moves = 0; moves < 6; moves++) {
            int before = guarded.entered();
            migrate(name);
            eventually(() -> guarded.entered() > before + 100);
        }
        crowd.stop();
        rivals.stop();
        guarded.assertEntered(guarded.entered());
    }

    /** The same while a replica takes the place of its master, which waits for it: nothing is lost. */
    @Test
    void contended_whileFailedOver() {
        String name = "contended while failed over";
        Guarded guarded = new Guarded();
        Crowd crowd = new Crowd(client.getLock(name), THREADS, guarded);
        Crowd rivals = new Crowd(rival.getLock(name), THREADS, guarded);
        eventually(() -> guarded.entered() > 100);
        ClusterNode master = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(master).get(0);

        cluster.failover(replica, Failover.AGREED);
        cluster.awaitReplicaOf(master, replica);

        int before = guarded.entered();
        eventually(() -> guarded.entered() > before + 100);
        crowd.stop();
        rivals.stop();
        guarded.assertEntered(guarded.entered());
    }

    /** A master that is killed is replaced: its holds go on, its waiters listen there, and other locks notice nothing. */
    @Test
    void masterKilled() {
        try (RedisCluster own = RedisCluster.start();
                Holdfast holder = connect(own);
                Holdfast waiter = connect(own)) {
            ClusterNode master = own.masters().get(0);
            String name = own.keyAt(master);
            DistributedLock elsewhere = waiter.getLock(own.keyAt(own.masters().get(1)));
            Lease lease = holder.getLock(name).acquire();
            CompletableFuture<Lease> waiting = waiter.getLock(name).acquireAsync();
            eventually(() -> waiter.stats().waiters() == 1);
            ClusterNode replica = own.replicasOf(master).get(0);
            own.awaitInSync(replica);

            master.server().kill();
            elsewhere.acquire().close();
            own.awaitMaster(replica);

            assertThat(lease.isValid()).isTrue();
            eventually(() -> listenedTo(replica).contains("redisson_lock__channel:{" + name + "}"));
            lease.close();
            get(waiting).close();
            assertThat(replica.server().keys()).isEmpty();
        }
    }

    /**
     * A lease that is shorter than the failover ends with it: its owner is told so before another client acquires the lock
     * at the new master.
     */
    @RealTime
    void masterKilled_leaseIsShorterThanTheFailover() {
        try (RedisCluster own = RedisCluster.builder()
                        .nodeTimeout(Duration.ofSeconds(4))
                        .start();
                Holdfast holder = connect(own, settings -> settings.watchdogTimeout(Duration.ofSeconds(2))
                        .commandTimeout(Duration.ofSeconds(1)));
                Holdfast waiter = connect(own)) {
            ClusterNode master = own.masters().get(0);
            String name = own.keyAt(master);
            Lease lease = holder.getLock(name).acquire();
            own.awaitInSync(own.replicasOf(master).get(0));
            CompletableFuture<Boolean> validAtTheGrant = waiter.getLock(name)
                    .acquireAsync()
                    .thenApply(next -> lease.isValid())
                    .toCompletableFuture();
            eventually(() -> waiter.stats().waiters() == 1);

            master.server().kill();

            assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.UNREACHABLE);
            assertThat(get(validAtTheGrant)).isFalse();
        }
    }

    private static List<String> listenedTo(ClusterNode node) {
        boolean sharded = !node.server().version().startsWith("6.");
        Object reply = node.server().command("PUBSUB", sharded ? "SHARDCHANNELS" : "CHANNELS");
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(String::valueOf).toList();
    }

    private static Holdfast connect(RedisCluster cluster) {
        return connect(cluster, settings -> settings);
    }

    private static Holdfast connect(RedisCluster cluster, UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(
                        Holdfast.builder().redisUri(cluster.masters().get(1).uri()))
                .build();
    }
}
