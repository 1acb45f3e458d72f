package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static dev.holdfast.topology.CommandStats.scripts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.Turn;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RespConnection;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A master that is replaced while it is stopped, and does not know of that when it continues: what it grants or prolongs is not
 * believed, and what it renews only until the client looks up who is the master.
 */
@Tag("topology")
@Tag("slow")
class DeposedMasterTest {
    /** Longer than the failover: the calls in flight do not end before the master continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    /** Far longer than the failover, and shorter than a lease without an explicit length. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    /** Longer than the failover, and shorter than the lease of a hold that is handed off. */
    private static final Duration REPLY_TIMEOUT = SHORT.dividedBy(2);

    private static final String NAME = "granted by a deposed master";

    /** A machine does not pause for longer than a turn this often in a row. */
    private static final int MOST_WARM_UPS = 20;

    private static Holdfast connect(ClusterNode seed, UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(Holdfast.builder().redisUri(seed.uri()).commandTimeout(COMMAND_TIMEOUT))
                .build();
    }

    private static void useAllMasters(Holdfast client, RedisCluster cluster) {
        cluster.masters()
                .forEach(master ->
                        client.getLock(cluster.keyAt(master)).acquire().close());
    }

    /**
     * A master that is replaced while it is stopped, and does not learn of that when it continues, since it forgets the other
     * nodes first. From Valkey 8.1 on they introduce themselves again to a node that does not connect to them
     * (valkey-io/valkey#1307), and it tells them to forget each other.
     */
    private static final class Deposed implements AutoCloseable {
        /** The clocks of client and server may differ by so much, at most, in a test. */
        private static final Duration CLOCKS = Duration.ofMillis(100);

        /** How long it is stopped at most. */
        private static final Duration STOPPED = Duration.ofMinutes(1);

        private final RedisCluster cluster = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .start();
        private final ClusterNode old = cluster.masterOf(NAME);
        private final ClusterNode replica = cluster.replicasOf(old).get(0);
        private final List<ClusterNode> others =
                cluster.nodes().stream().filter(node -> node != old).toList();

        /** Is connected to all masters: to ask another one takes a round trip, and no connection, which may take too long. */
        private final Holdfast late;

        /** The connection on which the old master is told to forget the others. */
        private final RespConnection forgets;

        private CompletableFuture<@Nullable Object> forgotten = new CompletableFuture<>();

        private @Nullable Holdfast prompt;

        Deposed(UnaryOperator<HoldfastBuilder> settings) throws IOException {
            forgets = RespConnection.to(old.server(), STOPPED);
            late = connect(old, settings);
            useAllMasters(late, cluster);
            late.getLock(NAME).acquire().close();
        }

        /** {@return a client of the new master, which has not heard of the old one} Called after {@link #replace}. */
        Holdfast prompt() {
            Holdfast connected = prompt;
            if (connected == null) {
                connected = connect(replica, settings -> settings);
                prompt = connected;
            }
            return connected;
        }

        void stop() throws IOException {
            prepareToStop();
            stopPrepared();
        }

        /** The replica has what was acknowledged so far. */
        void prepareToStop() throws IOException {
            cluster.awaitInSync(replica);
            forgets.call("MULTI");
            for (ClusterNode other : others) {
                forgets.call("CLUSTER", "FORGET", other.id());
            }
        }

        /**
         * Stops the old master. When it continues, it forgets all others at once, before it reads what they have sent: one
         * that goes on with the knowledge of some nodes tells these to forget the others, and names them to its clients.
         */
        void stopPrepared() {
            old.server().pause();
            forgotten = elsewhere(() -> forgets.call("EXEC"));
        }

        void replace() {
            cluster.awaitMaster(replica);
        }

        /** If the new master's message was read before the one to forget it, the old one knows: the test is aborted. */
        void resume() {
            old.server().resume();
            Object replies = get(forgotten);
            assumeFalse(old.isReplica(), "the old master has learnt that it was replaced");
            assertThat(replies).isEqualTo(Collections.nCopies(others.size(), "OK"));
        }

        /**
         * The new master comes to know that a hold is to last: without that, it would end there long before. Its owner is told
         * so afterwards.
         */
        void assertKeptAtTheReplica(Lease lease, Duration atLeast) {
            eventually(() -> {
                long startNanos = System.nanoTime();
                Duration here = lease.remaining();
                Duration there = leftAtTheReplica();
                assertThat(here.minus(since(startNanos)))
                        .as("the time left of a lease that ends there in %s", there)
                        .isLessThanOrEqualTo(there.plus(CLOCKS));
                return there.compareTo(atLeast) > 0;
            });
        }

        /** {@return for how long the new master keeps the lock} */
        Duration leftAtTheReplica() {
            Object leftMillis = Objects.requireNonNull(replica.server().command("PTTL", NAME));
            return Duration.ofMillis(Math.max(0, (Long) leftMillis));
        }

        /** {@return the clients that hold the lock there} */
        List<String> holdersAtTheReplica() {
            return replica.server().command("HKEYS", NAME) instanceof List<?> fields
                    ? fields.stream()
                            .map(field -> field.toString().split(":", -1)[0])
                            .toList()
                    : List.of();
        }

        /** The client has turned to the new master, and was not granted the lock by the old one. */
        void assertWaitsAtTheReplica(CompletableFuture<Lease> waiting) {
            eventually(() -> waiting.isDone() || isListenedTo(replica));
            assertThat(waiting).isNotDone();
        }

        @Override
        public void close() throws IOException {
            late.close();
            if (prompt != null) {
                prompt.close();
            }
            cluster.close();
            forgets.close();
        }
    }

    private static Deposed deposed(UnaryOperator<HoldfastBuilder> settings) throws IOException {
        Deposed master = new Deposed(settings);
        if (isValkey(master.old.server())) {
            master.close();
            abort("the nodes of a cluster introduce themselves to one that has forgotten them");
        }
        return master;
    }

    /**
     * A deposed master grants what lies in its sockets, and the acquire that is sent once more too. Another node is asked, so
     * that neither is believed.
     */
    @Test
    void grant_ofADeposedMaster_isNotDelivered() throws IOException {
        try (Deposed master = deposed(settings -> settings)) {
            master.stop();
            CompletableFuture<Lease> waiting = master.late.getLock(NAME).acquireAsync();
            master.replace();
            Lease held = master.prompt().getLock(NAME).acquire();

            master.resume();

            master.assertWaitsAtTheReplica(waiting);
            held.close();
            get(waiting).close();
        }
    }

    /** Nor is what it grants right after a reply that grants nothing has ended the silence. */
    @Test
    void grant_sentWhenADeposedMasterContinues_isNotDelivered() throws IOException {
        try (Deposed master = deposed(settings -> settings)) {
            master.stop();
            CompletableFuture<Lease> waiting = elsewhere(() -> {
                master.late.getLock(NAME).inspect();
                return master.late.getLock(NAME).acquire();
            });
            master.replace();
            Lease held = master.prompt().getLock(NAME).acquire();

            master.resume();

            master.assertWaitsAtTheReplica(waiting);
            held.close();
            get(waiting).close();
        }
    }

    /**
     * Nor is a grant that the message of its release names: the new master has not been told of that release. The owner
     * that waits has the lock once that says so, because the release was repeated there, or the lease has run out.
     */
    @Test
    void message_ofADeposedMaster_isNotBelieved() throws IOException {
        try (Deposed master = deposed(settings -> settings);
                Holdfast holder = connect(master.old, settings -> settings)) {
            assumeTrue(isSharded(master.old.server()), "clients form no line in a cluster of this version");
            Lease held = holder.getLock(NAME).acquire(SHORT);
            CompletableFuture<Lease> waiting = master.late.getLock(NAME).acquireAsync();
            eventually(() -> master.old.server().command("HGET", NAME, "line") != null);
            master.stop();
            CompletableFuture<?> closed = elsewhere(() -> {
                held.close();
                return null;
            });
            CompletableFuture<?> read =
                    elsewhere(() -> master.late.getLock(NAME).inspect());
            master.replace();

            master.resume();

            get(closed);
            get(read);
            Lease granted = get(waiting);
            assertThat(master.holdersAtTheReplica()).contains(master.late.clientId());
            granted.close();
        }
    }

    /** Nor is a handoff that is awaited: the new master still has the hold from which it was handed off. */
    @Test
    void handoff_ofADeposedMaster_isNotBelieved() throws IOException {
        try (Deposed master = deposed(settings -> settings)) {
            Waiting waiting = Waiting.behindAHold(master, master.late.getFencedLock(NAME));
            master.stopPrepared();
            CompletableFuture<?> closed = waiting.before.releaseAsync();
            waiting.turn.assumeNotOver();
            master.replace();

            master.resume();

            get(closed);
            Lease lease = get(waiting.next);
            master.assertKeptAtTheReplica(lease, SHORT);
            assertThat(lease.isValid()).isTrue();
            assertThat(master.prompt().getLock(NAME).tryLock()).isFalse();
            lease.close();
        }
    }

    /** Nor does its reply about a handoff whose receiver has started prolong anything. */
    @Test
    void earlyHandoff_ofADeposedMaster_prolongsNothing() throws IOException {
        try (Deposed master = deposed(settings -> settings.commandTimeout(REPLY_TIMEOUT))) {
            handOff(master);
            Waiting waiting = Waiting.behindAHold(master, master.late.getLock(NAME));
            master.stopPrepared();
            CompletableFuture<?> closed = waiting.before.releaseAsync();
            waiting.turn.assumeNotOverUnless(waiting.next.isDone());
            Lease lease = get(waiting.next);
            assertThat(lease.remaining()).isLessThan(SHORT);
            master.replace();

            master.resume();

            get(closed);
            master.assertKeptAtTheReplica(lease, SHORT);
            assertThat(lease.isValid()).isTrue();
            assertThat(master.prompt().getLock(NAME).tryLock()).isFalse();
            lease.close();
        }
    }

    /** From the reply to it on, a handoff of this connection lets its receiver start early. */
    private static void handOff(Deposed master) {
        long handoffs = master.late.stats().handoffs();
        for (int i = 0; i < MOST_WARM_UPS && master.late.stats().handoffs() == handoffs; i++) {
            DistributedLock lock = master.late.getLock("{" + NAME + "}:warm-up " + i);
            Lease before = lock.acquire();
            Waiting waiting = new Waiting(master, lock, before);
            before.close();
            get(waiting.next).close();
        }
        assertThat(master.late.stats().handoffs()).as("handoffs").isGreaterThan(handoffs);
    }

    /** An owner that waits for another one of the same client, and has no attempt in flight: the lock is handed off to it. */
    private static final class Waiting {
        final Lease before;
        final CompletableFuture<Lease> next;
        private final Turn turn = Turn.begin();

        /** The owner that waits does so for one whose hold the replica has as well. */
        static Waiting behindAHold(Deposed master, DistributedLock lock) throws IOException {
            Lease before = lock.acquire(SHORT);
            master.prepareToStop();
            return new Waiting(master, lock, before);
        }

        /** It finds the lock busy, subscribes and tries again. */
        Waiting(Deposed master, DistributedLock lock, Lease before) {
            this.before = before;
            long scripts = scripts(master.old.server());
            next = lock.acquireAsync();
            eventually(() -> scripts(master.old.server()) == scripts + 2
                    && !Inside.residue(master.late).contains("calls in flight"));
            // The effects of a reply are complete when the next reply is read.
            get(lock.isLockedAsync());
        }
    }

    /**
     * A renewal that lies in its sockets is believed until the next look-up, which names the new master: the hold is verified
     * there, before the lease ends as the last renewal before has left it.
     */
    @Test
    void renewal_ofADeposedMaster_isVerifiedAtTheNew() throws IOException {
        Duration watchdog = Duration.ofSeconds(15);
        Duration whenRenewed = watchdog.multipliedBy(2).dividedBy(3);
        try (Deposed master =
                deposed(settings -> settings.watchdogTimeout(watchdog).commandTimeout(Duration.ofSeconds(7)))) {
            Lease lease = master.late.getLock(NAME).acquire();
            master.prepareToStop();
            eventually(() -> lease.remaining().compareTo(whenRenewed.plusMillis(500)) < 0);
            master.stopPrepared();
            master.replace();

            master.resume();

            eventually(() -> master.leftAtTheReplica().compareTo(whenRenewed) > 0);
            master.assertKeptAtTheReplica(lease, whenRenewed);
            assertThat(lease.isValid()).isTrue();
            assertThat(master.prompt().getLock(NAME).tryLock()).isFalse();
            lease.close();
        }
    }

    /** {@return whether somebody waits for a lock there} */
    private static boolean isListenedTo(ClusterNode node) {
        String channelsOfLocks = isSharded(node.server()) ? "SHARDCHANNELS" : "CHANNELS";
        return node.server().command("PUBSUB", channelsOfLocks) instanceof List<?> channels && !channels.isEmpty();
    }

    private static boolean isSharded(RedisServer server) {
        return !server.version().startsWith("6.");
    }

    private static boolean isValkey(RedisServer server) {
        return String.valueOf(server.command("INFO", "server")).contains("valkey_version");
    }
}
