package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    private static final class Scene extends ClusterClients {
        Scene(RedisBinary binary) {
            super(binary, 3, CLIENTS, NAME);
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
    }

    /** Holders keep their permits, and those that wait have places at the new master, where each release grants down the line. */
    @Test
    void slotMoved_holdersAndWaitersGoOn() {
        try (Scene scene = new Scene(RedisBinary.byDefault())) {
            scene.assumeSharded();
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
        try (Scene scene = new Scene(RedisBinary.byDefault())) {
            scene.assumeSharded();
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
