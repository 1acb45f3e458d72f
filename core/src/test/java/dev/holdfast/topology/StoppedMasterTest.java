package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Masters that are stopped and continue: before, during and long after a failover. */
@Tag("topology")
@Tag("slow")
class StoppedMasterTest {
    private static final String NAME = "failed over";

    /** Longer than a master is stopped: the calls in flight do not end before it continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    private static Holdfast connect(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .commandTimeout(COMMAND_TIMEOUT)
                .watchdogTimeout(Duration.ofSeconds(45))
                .failoverTimeout(Duration.ofSeconds(30))
                .build();
    }

    /**
     * The master of a cluster is stopped, with acquires of two clients in its sockets, the last of which are sent just
     * before it continues. A third client takes the lock again and again at the new master meanwhile: nobody starts while
     * another one is at work, and all go on.
     */
    @ParameterizedTest
    @ValueSource(longs = {500, 2_800, 10_000})
    void stopped_ofACluster(long millis) {
        try (RedisCluster cluster = RedisCluster.start();
                Holdfast client = connect(cluster.uris().get(0));
                Holdfast rival = connect(cluster.uris().get(1))) {
            ClusterNode master = cluster.masterOf(NAME);
            String replica = cluster.replicasOf(master).get(0).uri();
            new Stopped(client, rival, master, () -> connect(replica)).during(Duration.ofMillis(millis));
            cluster.awaitOk();
        }
    }

    /**
     * The same under sentinels, of which the client is told that the master was replaced. In the second case they have just
     * replaced it when it continues: what it grants before it is replaced can be lost with it.
     */
    @ParameterizedTest
    @ValueSource(longs = {500, 2_800, 10_000})
    void stopped_underSentinels(long millis) {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                        .downAfter(Duration.ofMillis(500))
                        .start();
                Holdfast client = connect(sentinels.uri());
                Holdfast rival = connect(sentinels.uri())) {
            new Stopped(client, rival, sentinels.master(), () -> connect(sentinels.uri()))
                    .during(Duration.ofMillis(millis));
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

        void during(Duration stop) {
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
            CompletableFuture<Boolean> newcomer = elsewhere(this::takeRepeatedly);
            await().pollDelay(stop.minus(JUST_BEFORE).minus(since(startNanos))).until(() -> true);
            call(idle);
            call(busy);
            await().pollDelay(JUST_BEFORE).until(() -> true);
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
