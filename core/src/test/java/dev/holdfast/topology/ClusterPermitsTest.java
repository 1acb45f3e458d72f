package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A semaphore of a cluster: its holds and those that wait go where its slot goes. Below Redis 7.0 it has no line. */
@Tag("topology")
@Tag("slow")
final class ClusterPermitsTest {
    private static final String NAME = "limited";

    private static final String KEY = "holdfast_semaphore:{" + NAME + "}";

    private static final int CLIENTS = 4;

    /** A cluster, a client that holds permits, and others that wait for them. */
    private static final class Scene implements AutoCloseable {
        private final RedisCluster cluster;
        private final Holdfast holder;
        private final List<Holdfast> clients;

        Scene(RedisBinary binary) {
            cluster = RedisCluster.builder().binary(binary).masters(3).start();
            holder = connect();
            clients = Stream.generate(this::connect).limit(CLIENTS).toList();
        }

        static Scene withSharded() {
            Scene scene = new Scene(RedisBinary.byDefault());
            boolean isSharded = !scene.master().server().version().startsWith("6.");
            if (!isSharded) {
                scene.close();
            }
            assumeTrue(isSharded, "this server has no sharded channels");
            return scene;
        }

        private Holdfast connect() {
            return Holdfast.connect(String.join(",", cluster.uris()).replaceAll(",redis://", ","));
        }

        ClusterNode master() {
            return cluster.masterOf(NAME);
        }

        ClusterNode other() {
            return cluster.masterBeside(master());
        }

        DistributedSemaphore semaphore() {
            return holder.getSemaphore(NAME, 3);
        }

        /** {@return an acquisition of each client, of 2 and 1 permits in turn} */
        List<CompletableFuture<Permits>> join() {
            List<CompletableFuture<Permits>> waiting = new ArrayList<>();
            for (Holdfast client : clients) {
                waiting.add(client.getSemaphore(NAME, 3).acquireAsync(2 - waiting.size() % 2));
                eventually(() -> semaphore().inspect().line().size() == waiting.size());
            }
            return waiting;
        }

        @Override
        public void close() {
            clients.forEach(Holdfast::close);
            holder.close();
            cluster.close();
        }
    }

    /** Holders keep their permits, and those that wait have places at the new master, where each release grants down the line. */
    @Test
    void slotMoved_holdersAndWaitersGoOn() {
        try (Scene scene = Scene.withSharded()) {
            Permits held = scene.semaphore().acquire(3);
            List<CompletableFuture<Permits>> waiting = scene.join();
            ClusterNode target = scene.other();

            scene.cluster.migrate(Slots.of(NAME), target);

            eventually(() -> {
                assertThat(scene.semaphore().inspect().line())
                        .extracting(SemaphoreInfo.Request::permits)
                        .containsExactlyInAnyOrder(2, 1, 2, 1);
                assertThat(target.server().command("HGET", KEY, "state")).isNotNull();
            });
            held.extend(Shard.LEASE.multipliedBy(2));
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            held.close();
            serve(waiting);
            eventually(() -> assertThat(target.server().keys()).doesNotContain(KEY));
        }
    }

    /** Returns when each has been granted its permits, and has released them. */
    private static void serve(List<CompletableFuture<Permits>> waiting) {
        waiting.stream()
                .map(granted -> granted.thenCompose(Permits::releaseAsync))
                .toList()
                .forEach(end -> get(end));
    }

    /** While the key is at the new master, and its slot not yet, permits are released, and those that wait are served. */
    @Test
    void keyMoved_releaseIsNoticed() {
        try (Scene scene = Scene.withSharded()) {
            Permits held = scene.semaphore().acquire(3);
            List<CompletableFuture<Permits>> waiting = scene.join();
            SlotMigration migration = scene.cluster.beginMigration(Slots.of(NAME), scene.other());
            migration.moveKey(KEY);

            held.close();
            get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)));
            migration.finish();

            serve(waiting);
        }
    }

    /** Below Redis 7.0 nobody joins a line, and all are served nevertheless. */
    @Test
    void broadcastChannels_haveNoLine() {
        try (Scene scene = new Scene(RedisBinary.embedded())) {
            Permits held = scene.semaphore().acquire(3);
            List<CompletableFuture<Permits>> waiting = scene.clients.stream()
                    .map(client -> client.getSemaphore(NAME, 3).acquireAsync(2))
                    .toList();
            eventually(() ->
                    scene.clients.stream().allMatch(client -> client.stats().waiters() == 1));
            assertThat(scene.semaphore().inspect().line()).isEmpty();

            held.close();

            serve(waiting);
            assertThat(scene.semaphore().inspect().holders()).isEmpty();
            assertThat(scene.cluster.nodes())
                    .flatMap(node -> node.server().channels())
                    .noneMatch(channel -> channel.startsWith("holdfast__channel:" + KEY + ":"));
        }
    }
}
