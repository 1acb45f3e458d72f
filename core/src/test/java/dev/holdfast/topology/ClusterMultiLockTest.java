package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.RealTime;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several locks of one cluster together, which are on different masters. */
@Tag("topology")
@Tag("slow")
class ClusterMultiLockTest {
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final int ROUNDS = 30;

    /** A master that fails is not replaced, and the locks of the others go on. */
    @AutoClose
    private final RedisCluster cluster = RedisCluster.builder()
            .replicasPerMaster(0)
            .config("cluster-require-full-coverage", "no")
            .start();

    @AutoClose
    private final Holdfast client = connect(settings -> settings);

    @AutoClose
    private final Holdfast rival = connect(settings -> settings);

    /** A name on each master, and one more in the slot of the first. */
    private final List<String> names = Stream.concat(
                    cluster.masters().stream().map(cluster::keyAt),
                    Stream.of("{" + cluster.keyAt(cluster.masters().get(0)) + "}:more"))
            .toList();

    private Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(Holdfast.builder().redisUri(cluster.uris().get(0)))
                .build();
    }

    private static MultiLock multi(Holdfast holdfast, List<String> names) {
        return Holdfast.multiLock(names.stream().map(holdfast::getLock).toArray(DistributedLock[]::new));
    }

    private boolean isFree(String name) {
        return !rival.getLock(name).isLocked();
    }

    /** All are held together, each is busy for others by its own name, and all are released. */
    @RealTime
    void acquire_ofAllMasters() throws InterruptedException {
        try (MultiLease lease = multi(client, names).acquire()) {
            assertThat(lease.isValid()).isTrue();
            for (String name : names) {
                assertThat(rival.getLock(name).tryLock()).isFalse();
            }
            assertThat(multi(rival, names).tryAcquire(BRIEF)).isEmpty();
        }
        assertThat(names).allMatch(this::isFree);
    }

    /** A call that finds any of them busy holds none, and one that waits gets all when that is released. */
    @RealTime
    void oneBusy_noneIsHeld_thenAll() throws InterruptedException {
        for (String busy : names) {
            Lease held = rival.getLock(busy).acquire();
            assertThat(multi(client, names).tryAcquire(BRIEF)).isEmpty();
            eventually(() -> names.stream().filter(name -> !name.equals(busy)).allMatch(this::isFree));
            CompletableFuture<MultiLease> waiting = multi(client, names).acquireAsync();
            eventually(() -> client.stats().waiters() == 1);
            held.close();
            get(waiting).close();
        }
    }

    /** Clients whose sets overlap and are named in any order are all served. */
    @Test
    void sets_inAnyOrder_areServed() {
        Guarded guarded = new Guarded();
        List<CompletableFuture<Boolean>> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(i);
            Holdfast holdfast = i % 2 == 0 ? client : rival;
            runs.add(elsewhere(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    List<String> shuffled = new ArrayList<>(names);
                    Collections.shuffle(shuffled, random);
                    // Any three of the four have two in common with any other three.
                    try (MultiLease lease =
                            multi(holdfast, shuffled.subList(0, 3)).acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        guarded.enter();
                    }
                }
                return true;
            }));
        }
        runs.forEach(run -> assertThat(get(run, Duration.ofSeconds(60))).isTrue());
        guarded.assertEntered(6 * ROUNDS);
    }

    /** A slot that is moved while all are held, or waited for, takes its lock along. */
    @Test
    void slot_isMoved() {
        String moved = names.get(1);
        ClusterNode target = cluster.masterOf(names.get(2));
        MultiLease lease = multi(client, names).acquire();
        CompletableFuture<MultiLease> waiting = multi(rival, names).acquireAsync();
        eventually(() -> rival.stats().waiters() == 1);

        cluster.migrate(Slots.of(moved), target);

        assertThat(lease.isValid()).isTrue();
        lease.close();
        get(waiting).close();
        assertThat(names).allMatch(this::isFree);
    }

    /** A master that is killed loses the whole, and the holder is told; it releases the locks of the others. */
    @Test
    void held_masterIsKilled_wholeIsLost() {
        multi(rival, names).acquire().close();
        try (Holdfast holder = connect(
                settings -> settings.watchdogTimeout(Duration.ofSeconds(6)).commandTimeout(Duration.ofSeconds(2)))) {
            MultiLease lease = multi(holder, names).acquire();
            cluster.masterOf(names.get(1)).server().kill();
            assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.UNREACHABLE);
            assertThat(lease.isValid()).isFalse();
            assertThat(isFree(names.get(0)) || isFree(names.get(2)) || isFree(names.get(3)))
                    .isFalse();
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
            assertThat(isFree(names.get(0)) && isFree(names.get(2)) && isFree(names.get(3)))
                    .isTrue();
        }
    }

    /** While a master does not answer, or is down, a call fails and holds none of the others. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_masterIsAway_noneIsHeld(boolean killed) {
        multi(client, names).acquire().close();
        multi(rival, names).acquire().close();
        ClusterNode away = cluster.masterOf(names.get(1));
        if (killed) {
            away.server().kill();
        } else {
            away.server().pause();
        }
        assertThatThrownBy(() -> multi(client, names).tryAcquire(BRIEF)).isInstanceOf(LockException.class);
        eventually(() -> isFree(names.get(0)) && isFree(names.get(2)) && isFree(names.get(3)));
        if (!killed) {
            away.server().resume();
            get(multi(client, names).acquireAsync()).close();
        }
    }
}
