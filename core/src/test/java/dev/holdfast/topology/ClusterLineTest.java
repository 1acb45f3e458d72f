package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.SlotMigration;
import dev.holdfast.testkit.topology.Slots;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The line of the clients that wait for a lock of a cluster. It is kept with the lock, and goes where that goes. Below
 * Redis 7.0 there is none, since no node counts the listeners of the others.
 */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterLineTest {
    private static final String NAME = "waited for in line";
    private static final String CHANNEL = "redisson_lock__channel:{" + NAME + "}";
    private static final int CLIENTS = 4;

    /** A cluster, a client that holds the lock, and others that wait for it, one acquisition each. */
    private static final class Scene extends ClusterClients {
        private final List<CompletableFuture<Lease>> waiting = new ArrayList<>();

        Scene(RedisBinary binary, int masters) {
            super(binary, masters, CLIENTS, NAME);
        }

        /** Each client begins to wait when the one before it has its place. */
        void joinInOrder() {
            for (Holdfast client : clients) {
                waiting.add(client.getLock(NAME).acquireAsync());
                eventually(() -> line(master()).count() == waiting.size());
            }
        }

        /** Waits until this node notifies each of them, of the grants to it and of what concerns the whole line. */
        void awaitListeningAt(ClusterNode node) {
            eventually(() -> {
                assertThat(listeners(node, CHANNEL)).isEqualTo(CLIENTS);
                assertThat(listeners(node, CHANNEL + ":line")).isEqualTo(CLIENTS);
                assertThat(clients).allMatch(client -> listeners(node, CHANNEL + ":" + client.clientId()) == 1);
            });
        }
    }

    /** What the hash of the lock says of its line. */
    private record Line(int count, int grants) {}

    private static Line line(ClusterNode node) {
        Object field = node.server().command("HGET", NAME, "line");
        if (field == null) {
            return new Line(0, 0);
        }
        String[] words = field.toString().split(" ", -1);
        return new Line(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
    }

    private static long listeners(ClusterNode node, String channel) {
        Object reply = node.server().command("PUBSUB", "SHARDNUMSUB", channel);
        return (Long) ((List<?>) Objects.requireNonNull(reply)).get(1);
    }

    /**
     * The line moves with the slot of its lock: its clients keep their places, are counted at the new master, and are
     * granted the lock there in their order, each by the release before.
     */
    @Test
    void slotMoved_goesOnInOrder() {
        try (Scene scene = new Scene(RedisBinary.byDefault(), 3)) {
            scene.assumeSharded();
            Lease held = scene.holder.getLock(NAME).acquire();
            scene.joinInOrder();
            ClusterNode source = scene.master();
            ClusterNode target = scene.other();
            scene.awaitListeningAt(source);

            scene.cluster.migrate(Slots.of(NAME), target);

            scene.awaitListeningAt(target);
            assertThat(listeners(source, CHANNEL + ":line")).isZero();
            assertThat(line(target)).isEqualTo(new Line(CLIENTS, 0));
            held.close();
            for (int turn = 1; turn <= CLIENTS; turn++) {
                Lease lease = get(scene.waiting.get(turn - 1));
                assertThat(scene.waiting.subList(turn, CLIENTS)).noneMatch(CompletableFuture::isDone);
                assertThat(line(target)).isEqualTo(new Line(CLIENTS - turn, turn));
                lease.close();
            }
            assertThat(target.server().keys()).doesNotContain(NAME);
        }
    }

    /** The same for both sides of a read-write lock: the readers are granted it together, and the writer after them. */
    @Test
    void slotMoved_sidesGoOn() {
        try (Scene scene = new Scene(RedisBinary.byDefault(), 3)) {
            scene.assumeSharded();
            Lease held = scene.holder.getReadWriteLock(NAME).writeLock().acquire();
            Holdfast both = scene.clients.get(0);
            CompletableFuture<Lease> writer =
                    both.getReadWriteLock(NAME).writeLock().acquireAsync();
            List<CompletableFuture<Lease>> readers = scene.clients.stream()
                    .map(client -> client.getReadWriteLock(NAME).readLock().acquireAsync())
                    .toList();
            eventually(() -> both.getReadWriteLock(NAME).inspect().clientsInLine() == CLIENTS + 1);
            ClusterNode target = scene.other();

            scene.cluster.migrate(Slots.of(NAME), target);

            String channel = "redisson_rwlock:{" + NAME + "}:";
            eventually(() -> {
                assertThat(listeners(target, channel + both.clientId())).isEqualTo(1);
                assertThat(scene.clients)
                        .allMatch(client -> listeners(target, channel + client.clientId() + ":read") == 1);
            });
            held.close();
            List<Lease> reading = readers.stream().map(each -> get(each)).toList();
            assertThat(reading).allMatch(Lease::isValid);
            assertThat(writer).isNotDone();
            reading.forEach(Lease::close);
            get(writer).close();
        }
    }

    /** Clients that have turns all the time go on in line while the slot goes to and fro: each of them, one at a time. */
    @Test
    void slotMoved_betweenTurns() {
        try (Scene scene = new Scene(RedisBinary.byDefault(), 3)) {
            scene.assumeSharded();
            ClusterNode first = scene.master();
            ClusterNode second = scene.other();
            Guarded guarded = new Guarded();
            AtomicBoolean stopped = new AtomicBoolean();
            List<AtomicInteger> turns =
                    Stream.generate(AtomicInteger::new).limit(CLIENTS).toList();
            List<CompletableFuture<?>> ends = IntStream.range(0, CLIENTS)
                    .<CompletableFuture<?>>mapToObj(i -> elsewhere(() -> {
                        while (!stopped.get()) {
                            try (Lease lease =
                                    scene.clients.get(i).getLock(NAME).acquire()) {
                                guarded.enter();
                                turns.get(i).incrementAndGet();
                                assertThat(lease.isValid()).isTrue();
                            }
                        }
                        return null;
                    }))
                    .toList();

            for (ClusterNode target : List.of(second, first)) {
                scene.cluster.migrate(Slots.of(NAME), target);

                List<Integer> before = turns.stream().map(AtomicInteger::get).toList();
                eventually(() ->
                        IntStream.range(0, CLIENTS).allMatch(i -> turns.get(i).get() > before.get(i) + 5));
                eventually(() -> line(target).grants() > 0);
            }

            stopped.set(true);
            ends.forEach(end -> get(end));
            guarded.assertEntered(guarded.entered());
        }
    }

    /** While the lock is at the new master, and its slot not yet, a release is noticed by the clients in line. */
    @Test
    void keyMoved_releaseIsNoticed() {
        try (Scene scene = new Scene(RedisBinary.byDefault(), 3)) {
            scene.assumeSharded();
            Lease held = scene.holder.getLock(NAME).acquire();
            scene.joinInOrder();
            SlotMigration migration = scene.cluster.beginMigration(Slots.of(NAME), scene.other());
            migration.moveKey(NAME);

            held.close();
            get(CompletableFuture.anyOf(scene.waiting.toArray(CompletableFuture<?>[]::new)));
            migration.finish();

            List<CompletableFuture<Lease>> left = new ArrayList<>(scene.waiting);
            while (!left.isEmpty()) {
                releaseTheOne(left);
            }
        }
    }

    /** Releases the one lock that was granted, once it has been. */
    private static void releaseTheOne(List<CompletableFuture<Lease>> waiting) {
        get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)));
        List<CompletableFuture<Lease>> granted =
                waiting.stream().filter(CompletableFuture::isDone).toList();
        assertThat(granted).hasSize(1);
        waiting.removeIf(each -> each == granted.get(0));
        get(granted.get(0)).close();
    }

    /** A new master that lacks the line has it again: its clients join there, and are granted the lock in turn. */
    @Test
    void failedOver_lineIsLost_formsAgain() {
        try (Scene scene = new Scene(RedisBinary.byDefault(), 1)) {
            scene.assumeSharded();
            Lease held = scene.holder.getLock(NAME).acquire();
            ClusterNode master = scene.master();
            ClusterNode replica = scene.cluster.replicasOf(master).get(0);
            scene.cluster.awaitInSync(replica);
            replica.cutReplication();
            scene.joinInOrder();

            master.server().kill();
            scene.cluster.failover(replica, Failover.TAKEOVER);

            eventually(() -> assertThat(line(replica)).isEqualTo(new Line(CLIENTS, 0)));
            scene.awaitListeningAt(replica);
            assertThat(held.isValid()).isTrue();
            held.close();
            List<CompletableFuture<Lease>> left = new ArrayList<>(scene.waiting);
            for (int turn = 1; turn <= CLIENTS; turn++) {
                int grants = turn;
                eventually(() -> assertThat(line(replica)).isEqualTo(new Line(CLIENTS - grants, grants)));
                releaseTheOne(left);
            }
            assertThat(replica.server().keys()).isEmpty();
        }
    }

    /** Below Redis 7.0 nobody joins a line, and all are served nevertheless. */
    @Test
    void broadcastChannels_haveNoLine() {
        try (Scene scene = new Scene(RedisBinary.embedded(), 3)) {
            Lease held = scene.holder.getLock(NAME).acquire();
            scene.clients.forEach(
                    client -> scene.waiting.add(client.getLock(NAME).acquireAsync()));
            eventually(() -> scene.cluster.nodes().stream()
                            .mapToLong(ClusterLineTest::broadcastListeners)
                            .sum()
                    == CLIENTS);

            assertThat(scene.holder.getLock(NAME).inspect().clientsInLine()).isZero();
            held.close();
            List<CompletableFuture<Lease>> left = new ArrayList<>(scene.waiting);
            while (!left.isEmpty()) {
                assertThat(line(scene.master())).isEqualTo(new Line(0, 0));
                releaseTheOne(left);
            }
            assertThat(scene.cluster.nodes())
                    .flatMap(node -> node.server().channels())
                    .noneMatch(channel -> channel.startsWith(CHANNEL + ":"));
        }
    }

    private static long broadcastListeners(ClusterNode node) {
        Object reply = node.server().command("PUBSUB", "NUMSUB", CHANNEL);
        return (Long) ((List<?>) Objects.requireNonNull(reply)).get(1);
    }
}
