package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Masters that are stopped and continue: before, during and long after a failover. */
@Tag("topology")
@Tag("slow")
class StoppedMasterTest {
    private static final String NAME = "failed over";

    /** Longer than a master is stopped: the calls in flight do not end before it continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    private static final Duration FAR_LONGER_THAN_A_TEST = Duration.ofMinutes(1);

    private static Holdfast connect(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .commandTimeout(COMMAND_TIMEOUT)
                .watchdogTimeout(Duration.ofSeconds(45))
                .failoverTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** When a master continues. */
    private enum Continues {
        /** It is not replaced, however long the machine stops with it. */
        BEFORE_A_FAILOVER(Duration.ofMillis(500)),
        /** It has just been replaced. What it grants before that can be lost with it. */
        AFTER_A_FAILOVER(Duration.ZERO),
        LONG_AFTER_A_FAILOVER(Duration.ofSeconds(10));

        /** How long it is stopped at least. */
        private final Duration stop;

        Continues(Duration stop) {
            this.stop = stop;
        }

        /** The time after which a silent master is replaced. */
        Duration silence(Duration ifReplaced) {
            return this == BEFORE_A_FAILOVER ? FAR_LONGER_THAN_A_TEST : ifReplaced;
        }
    }

    /**
     * The master of a cluster is stopped, with acquires of two clients in its sockets, the last of which are sent just
     * before it continues. A third client takes the lock again and again at the new master meanwhile: nobody starts while
     * another one is at work, and all go on.
     */
    @ParameterizedTest
    @EnumSource
    void stopped_ofACluster(Continues when) {
        try (RedisCluster cluster = RedisCluster.builder()
                        .nodeTimeout(when.silence(Duration.ofSeconds(1)))
                        .start();
                Holdfast client = connect(cluster.uris().get(0));
                Holdfast rival = connect(cluster.uris().get(1))) {
            ClusterNode master = cluster.masterOf(NAME);
            ClusterNode replica = cluster.replicasOf(master).get(0);
            new Stopped(client, rival, master, () -> connect(replica.uri())).during(when, () -> {
                cluster.awaitMaster(replica);
                cluster.nodes().stream().filter(node -> node != master).forEach(StoppedMasterTest::waitsLong);
            });
            cluster.awaitOk();
        }
    }

    /** No further master is replaced, of a cluster in which one gets no processor time for a moment. */
    private static void waitsLong(ClusterNode node) {
        node.server()
                .command("CONFIG", "SET", "cluster-node-timeout", Long.toString(FAR_LONGER_THAN_A_TEST.toMillis()));
    }

    /** The same under sentinels, of which the client is told that the master was replaced. */
    @ParameterizedTest
    @EnumSource
    void stopped_underSentinels(Continues when) {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                        .downAfter(when.silence(Duration.ofMillis(500)))
                        .start();
                Holdfast client = connect(sentinels.uri());
                Holdfast rival = connect(sentinels.uri())) {
            DataNode master = sentinels.master();
            new Stopped(client, rival, master, () -> connect(sentinels.uri())).during(when, () -> {
                sentinels.awaitMasterOtherThan(master);
                sentinels.downAfter(FAR_LONGER_THAN_A_TEST);
            });
            sentinels.awaitOk();
        }
    }

    /** Two clients that know the master of their lock, and one that connects when it is stopped. */
    private static final class Stopped {
        private static final Duration WORK = Duration.ofMillis(300);
        private static final Duration JUST_BEFORE = Duration.ofMillis(50);
        private static final int CALLS = 3;

        private final Holdfast idle;
        private final Holdfast busy;
        private final RedisServer master;
        private final Supplier<Holdfast> late;
        private final AtomicInteger working = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final List<CompletableFuture<Boolean>> calls = new CopyOnWriteArrayList<>();

        Stopped(Holdfast idle, Holdfast busy, DataNode master, Supplier<Holdfast> late) {
            this.idle = idle;
            this.busy = busy;
            this.master = master.server();
            this.late = late;
        }

        /** @param awaitReplaced returns when another master has taken the place of the stopped one */
        void during(Continues when, Runnable awaitReplaced) {
            idle.getLock(NAME).acquire().close();
            busy.getLock(NAME).acquire().close();
            Guarded others = new Guarded();
            DistributedLock lock = busy.getLock("{" + NAME + "}:traffic");
            Crowd traffic = new Crowd(2, others, work -> pass(lock, work));
            eventually(() -> others.entered() > 10);

            long startNanos = System.nanoTime();
            master.pause();
            call(idle);
            call(busy);
            boolean isReplaced = when != Continues.BEFORE_A_FAILOVER;
            if (isReplaced) {
                awaitReplaced.run();
            }
            CompletableFuture<Boolean> newcomer = elsewhere(this::takeRepeatedly);
            if (isReplaced) {
                eventually(() -> working.get() > 0);
            }
            Patience.await().until(() -> since(startNanos).compareTo(when.stop.minus(JUST_BEFORE)) > 0);
            call(idle);
            call(busy);
            Patience.await().pollDelay(JUST_BEFORE).until(() -> true);
            master.resume();

            calls.forEach(call -> get(call, Duration.ofSeconds(60)));
            get(newcomer, Duration.ofSeconds(60));
            int before = others.entered();
            eventually(() -> others.entered() > before + 10);
            traffic.stop();
            assertThat(overlaps).hasValue(0);
        }

        /** What the stopped master has granted last may not be at its replicas: its owner is told so. */
        private static void pass(DistributedLock lock, Runnable work) {
            try {
                lock.lock();
                try {
                    work.run();
                } finally {
                    lock.unlock();
                }
            } catch (LeaseLostException lost) {
                assertThat(lost.reason()).isEqualTo(LossReason.FAILOVER);
            }
        }

        private void call(Holdfast client) {
            for (int i = 0; i < CALLS; i++) {
                calls.add(client.getLock(NAME)
                        .acquireAsync()
                        .thenComposeAsync(lease -> elsewhere(() -> {
                            work(lease);
                            return null;
                        })));
            }
        }

        private boolean takeRepeatedly() {
            try (Holdfast client = late.get()) {
                while (!calls.stream().allMatch(CompletableFuture::isDone) || master.isPaused()) {
                    work(client.getLock(NAME).acquire());
                }
            }
            return true;
        }

        private void work(Lease lease) {
            if (working.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            LockSupport.parkNanos(WORK.toNanos());
            working.decrementAndGet();
            lease.close();
        }
    }
}
