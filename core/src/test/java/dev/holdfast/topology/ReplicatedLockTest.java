package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.topology.CommandStats.scripts;
import static dev.holdfast.topology.CommandStats.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLock;
import dev.holdfast.RealTime;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.SharedSentinels;
import dev.holdfast.Turn;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks that are granted only when replicas have the grant: a master with two replicas. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ReplicatedLockTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final String NAME = "orders:42";

    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.byDefault(), 2);

    private final DataNode master = redis.sentinels().master();
    private final List<DataNode> replicas = redis.sentinels().replicas();
    private final List<DataNode> cut = new ArrayList<>();
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void restore() {
        clients.forEach(Holdfast::close);
        cut.forEach(DataNode::restoreReplication);
        cut.forEach(redis.sentinels()::awaitInSync);
        // A renewal that too few replicas confirmed has prolonged the lease at the master.
        eventually(() -> redis.keys().isEmpty());
    }

    /** {@return a client of which so many replicas confirm each grant; 0 for a plain one} */
    private Holdfast client(int confirmed) {
        return client(builder -> confirmed == 0 ? builder : builder.replicated(confirmed, TIMEOUT));
    }

    private Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        Holdfast client = redis.connect(settings);
        clients.add(client);
        return client;
    }

    private void cut(DataNode replica) {
        replica.cutReplication();
        cut.add(replica);
    }

    /** When a caller is told of a grant, all replicas have it. */
    @RepeatedTest(20)
    void grant_isOnAllReplicas() {
        try (Lease lease = client(2).getLock(NAME).acquire()) {
            assertThat(lease.isValid()).isTrue();
            for (DataNode replica : replicas) {
                assertThat(replica.server().keys()).contains(NAME);
            }
        }
    }

    /** A grant that too few replicas have is given back: another client, which needs none, acquires at once. */
    @Test
    void tooFew_isGivenBack() {
        Holdfast client = client(2);
        cut(replicas.get(0));

        assertThatThrownBy(() -> client.getLock(NAME).tryLock())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "1 of 2 replicas", "given back");

        assertThat(redis.keys()).isEmpty();
        redis.client().getLock(NAME).acquire().close();
    }

    /** So is one of a master that is named by its own address: to the client, it is a server that is alone. */
    @Test
    void tooFew_oneServer_isGivenBack() {
        Holdfast client =
                Holdfast.builder().redisUri(master.uri()).replicated(2, TIMEOUT).build();
        clients.add(client);
        cut(replicas.get(0));

        assertThatThrownBy(() -> client.getLock(NAME).tryLock())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "1 of 2 replicas", "given back");

        assertThat(redis.keys()).isEmpty();
    }

    /** If the master does not execute the release of what is given back, it is repeated: the lock is not left to nobody. */
    @Test
    void tooFew_giveBackIsNotExecuted_isRepeated() {
        Holdfast client = client(2);
        cut(replicas.get(0));
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        eventually(() -> redis.keys().contains(NAME));
        master.server().command("CONFIG", "SET", "min-replicas-to-write", "9");

        assertThatThrownBy(() -> get(waiting)).hasMessageContaining("1 of 2 replicas");
        assertThat(redis.keys()).contains(NAME);
        master.server().command("CONFIG", "SET", "min-replicas-to-write", "0");

        eventually(() -> redis.keys().isEmpty());
    }

    /** A delay that too few replicas have would end with a failover: the close fails, and a caller can act on that. */
    @Test
    void closeAfter_tooFew_fails() {
        Lease lease = client(builder -> builder.replicated(2, TIMEOUT)
                        .commandTimeout(TIMEOUT.multipliedBy(2))
                        .failoverTimeout(TIMEOUT.multipliedBy(3)))
                .getLock(NAME)
                .acquire();
        cut(replicas.get(0));

        assertThatThrownBy(() -> lease.closeAfter(Duration.ofMinutes(1)))
                .isExactlyInstanceOf(ReleaseUnconfirmedException.class)
                .hasMessageContaining("1 of 2 replicas");

        assertThat(redis.client().getLock(NAME).tryLock()).isFalse();
        assertThat(redis.client().getLock(NAME).forceUnlock()).isTrue();
    }

    /** The same for an asynchronous caller that would wait. */
    @Test
    void tooFew_whileWaiting_fails() {
        Holdfast client = client(2);
        Lease held = redis.client().getLock(NAME).acquire();
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        eventually(() -> client.stats().waiters() == 1);
        cut(replicas.get(0));

        held.close();

        assertThatThrownBy(() -> get(waiting)).hasMessageContaining("1 of 2 replicas");
    }

    /** A lock that is busy is reported as busy, whatever the replicas have. */
    @Test
    void busy_needsNoReplica() {
        Holdfast client = client(2);
        cut(replicas.get(0));
        try (Lease held = redis.client().getLock(NAME).acquire()) {
            assertThat(client.getLock(NAME).tryLock()).isFalse();
            assertThat(held.isValid()).isTrue();
        }
    }

    /** So is one that clients wait for in line. */
    @Test
    void busyInLine_needsNoReplica() {
        Holdfast client = client(2);
        List<Holdfast> others = List.of(client(0), client(0));
        Lease held = others.get(0).getLock(NAME).acquire();
        CompletableFuture<Lease> first = others.get(1).getLock(NAME).acquireAsync();
        eventually(() -> master.server().command("HGET", NAME, "line") != null);
        cut(replicas.get(0));
        assertThat(client.getLock(NAME).tryAcquireAsync(Duration.ofMillis(1_500)))
                .succeedsWithin(Duration.ofSeconds(15))
                .isEqualTo(Optional.empty());
        held.close();
        get(first).close();
    }

    /** Locks that are acquired together are given back together: in one command, or each by its own. */
    @Test
    void tooFew_ofSeveral_allAreGivenBack() {
        Holdfast client = client(2);
        cut(replicas.get(0));
        List<MultiLock> sets = List.of(
                Holdfast.multiLock(client.getLock(NAME), client.getLock("orders:43")),
                Holdfast.multiLock(client.getLock(NAME), client.getFencedLock("orders:43")));
        for (MultiLock set : sets) {
            assertThatThrownBy(set::tryLock).isInstanceOf(LockException.class).hasMessageContaining("1 of 2 replicas");
            eventually(() -> assertThat(redis.keys()).doesNotContain(NAME, "orders:43"));
        }
        redis.sentinels().master().server().command("DEL", "redisson_lock_token:{orders:43}");
    }

    /** One replica of two is enough, if that is what was asked for. */
    @Test
    void enough_isGranted() {
        Holdfast client = client(1);
        cut(replicas.get(0));

        try (Lease lease = client.getLock(NAME).acquire()) {
            assertThat(replicas.get(1).server().keys()).contains(NAME);
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** A renewal that too few replicas have prolongs nothing: the hold ends with the lease that they have. */
    @Test
    void renewal_tooFew_isNoRenewal() {
        Holdfast client =
                client(builder -> builder.replicated(2, Duration.ofMillis(500)).watchdogTimeout(Duration.ofSeconds(3)));
        Lease lease = client.getLock(NAME).acquire();
        cut(replicas.get(0));

        assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.UNREACHABLE);
    }

    /** Threads of a client hand the lock to each other, and the last hold is renewed. */
    @RealTime
    void handoffs_areProlonged() {
        Holdfast client =
                client(builder -> builder.replicated(2, Duration.ofMillis(500)).watchdogTimeout(Duration.ofSeconds(3)));
        Lease first = client.getLock(NAME).acquire();
        Lease last = handedOff(client, first);
        long began = System.nanoTime();

        eventually(() -> System.nanoTime() - began > Duration.ofMillis(3_600).toNanos());

        assertThat(last.isValid()).isTrue();
        last.close();
    }

    /** Hands the lock off a few times: then the receiver of the next handoff starts before the reply. */
    private static Lease handedOff(Holdfast client, Lease from) {
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        IntStream.range(0, 3).forEach(i -> waiting.add(client.getLock(NAME).acquireAsync()));
        eventually(() -> client.stats().waiters() == waiting.size());
        Lease last = from;
        while (!waiting.isEmpty()) {
            last.close();
            last = next(waiting);
        }
        return last;
    }

    /** {@return the lease of whichever waits first} A waiter whose attempt is in flight is overtaken. */
    private static Lease next(List<CompletableFuture<Lease>> waiting) {
        get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)));
        CompletableFuture<Lease> first =
                waiting.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow();
        waiting.removeIf(each -> each == first);
        return get(first);
    }

    /** A handoff that is awaited counts when enough replicas have it; if not, the lock is released. */
    @Test
    void handoff_tooFew_isUndone() {
        Holdfast client = client(2);
        Lease first = client.getLock(NAME).acquire();
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        eventually(() -> client.stats().waiters() == 1);
        cut(replicas.get(0));

        first.close();

        assertThatThrownBy(() -> get(waiting)).hasMessageContaining("1 of 2 replicas");
        redis.client().getLock(NAME).acquire().close();
    }

    /**
     * A handoff whose receiver starts before the reply prolongs nothing if too few replicas have it. All is over before
     * the lock is left free for a moment, for the sake of clients that poll.
     */
    @RealTime
    void earlyHandoff_tooFew_prolongsNothing() {
        Duration later = Duration.ofMillis(2_900);
        Holdfast client =
                client(builder -> builder.replicated(2, Duration.ofMillis(500)).watchdogTimeout(Duration.ofSeconds(3)));
        eventually(() -> {
            handedOff(client, client.getLock(NAME).acquire()).close();
            return client.stats().handoffs() > 0;
        });
        eventually(() -> Inside.residue(client).isEmpty()); // the next turn begins with the next waiter
        Lease first = client.getLock(NAME).acquire();
        replicas.get(0).server().pause();
        eventually(() -> first.remaining().compareTo(later) < 0);
        long before = scripts(master.server());
        Turn turn = Turn.begin();
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        // Its attempts before and after the subscription; a handoff passes over a waiter whose attempt is in flight.
        eventually(() -> scripts(master.server()) >= before + 2
                && !Inside.residue(client).contains("calls in flight"));

        CompletableFuture<?> released = first.releaseAsync();

        turn.assumeNotOver();
        try (Lease second = get(waiting)) {
            assertThat(second.remaining()).isLessThan(later);
            assertThat(second.isValid()).isTrue();
        } finally {
            replicas.get(0).server().resume();
        }
        get(released);
    }

    /** Acquires at the same time share the wait for the replicas. */
    @Test
    void acquires_shareTheWait() {
        Holdfast client = client(2);
        long before = waits(master.server());
        List<CompletableFuture<Lease>> all = IntStream.range(0, 200)
                .mapToObj(i -> client.getLock(NAME + i).acquireAsync())
                .toList();

        all.forEach(each -> get(each).close());

        assertThat(waits(master.server()) - before).isBetween(1L, 100L);
    }

    /** A client without the right to ask the replicas is refused when it connects. */
    @Test
    void rightMissing_isRefused() {
        master.server().command("ACL", "SETUSER", "locks", "on", ">secret", "~*", "&*", "+@all", "-wait");
        String uri = master.uri().replace("redis://", "redis://locks:secret@");

        assertThatThrownBy(() ->
                        Holdfast.builder().redisUri(uri).replicated(1, TIMEOUT).build())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll("+wait", "replicated locks");

        master.server().command("ACL", "DELUSER", "locks");
    }

    /** A hold that all replicas have survives the end of its master, however soon that comes. */
    @Test
    void killed_keepsTheHold() {
        try (RedisCluster cluster = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .start()) {
            ClusterNode old = cluster.masterOf(NAME);
            ClusterNode replica = cluster.replicasOf(old).get(0);
            try (Holdfast client = Holdfast.builder()
                            .redisUri(replica.uri())
                            .replicated(1, TIMEOUT)
                            .build();
                    Holdfast rival = Holdfast.builder().redisUri(replica.uri()).build()) {
                client.getLock("warm").acquire().close();
                CompletableFuture<Lease> granted = elsewhere(() -> {
                    Lease lease = client.getLock(NAME).acquire();
                    old.server().kill();
                    return lease;
                });
                Lease lease = get(granted);

                cluster.awaitMaster(replica);

                assertThat(rival.getLock(NAME).tryLock()).isFalse();
                assertThat(lease.isValid()).isTrue();
                // No replica is left that could confirm another grant.
                assertThatThrownBy(() ->
                                client.getLock("another of {" + NAME + "}").tryLock())
                        .hasMessageContaining("0 of 1 replicas");
            }
        }
    }
}
