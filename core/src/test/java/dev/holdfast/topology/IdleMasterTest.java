package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.ConnectionEvents;
import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.SharedCluster;
import dev.holdfast.TestClock;
import dev.holdfast.internal.topology.IdleMasters;
import dev.holdfast.internal.view.ConnectedClient;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the connections to a master of a cluster are closed that is not used any more, and by whose use they are opened again. */
@Tag("topology")
class IdleMasterTest {
    /** Longer than a master stays connected that is not used. */
    private static final Duration LONG_IDLE = Duration.ofMinutes(6);

    /** Longer than the connections of a node stay that was replaced. */
    private static final Duration FAREWELL = Duration.ofSeconds(11);

    /** A lease during which nothing is sent, whatever time passes in a test. */
    private static final Duration LONG_LEASE = Duration.ofHours(12);

    /** Longer than the clock is advanced by: what is in flight then is answered in time. */
    private static final Duration LONGEST_REPLY = Duration.ofHours(1);

    private static final int CONNECTIONS = 2;
    private static final int THREADS = 4;
    private static final int ROUNDS = 60;

    /** The names that the clients of these tests have at Redis. */
    private static final String NAME = "idle";

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 0);

    private final TestClock clock = new TestClock();
    private final ConnectionEvents events = new ConnectionEvents();

    private final ClusterNode first = redis.cluster().masters().get(0);
    private final ClusterNode second = redis.cluster().masters().get(1);
    private final ClusterNode third = redis.cluster().masters().get(2);

    private Holdfast client() {
        return builder()
                .clock(clock)
                .watchdogTimeout(LONG_LEASE)
                .commandTimeout(LONGEST_REPLY)
                .build();
    }

    private HoldfastBuilder builder() {
        return Holdfast.builder().redisUri(first.uri() + "?clientName=" + NAME).addListener(events);
    }

    private static String nameAt(ClusterNode master) {
        return redis.cluster().keyAt(master);
    }

    private static void use(Holdfast client, ClusterNode... masters) {
        for (ClusterNode master : masters) {
            client.getLock(nameAt(master)).acquire().close();
        }
    }

    /** {@return the ids of the connections of the client to this node, in no order; no two connections have the same} */
    private static List<String> connections(ClusterNode... masters) {
        return Stream.of(masters)
                .flatMap(master -> master.server().clients().stream()
                        .filter(client -> client.contains(" name=" + NAME + " "))
                        .map(client -> master.server().port() + client.split(" ", 2)[0]))
                .toList();
    }

    private void awaitConnections(int count, ClusterNode... masters) {
        eventually(() -> assertThat(connections(masters)).hasSize(count));
    }

    /** Waits, by the clock of the client, until it has so many connections to these nodes. */
    private void passUntilConnections(int count, ClusterNode... masters) {
        clock.advance(LONG_IDLE);
        eventually(() -> {
            clock.advance(FAREWELL);
            assertThat(connections(masters)).hasSize(count);
        });
    }

    /**
     * The connections to a master that is not used are closed, and those to the others stay. That is no outage. The next
     * lock opens them again.
     */
    @Test
    void idle_isClosed_opensAgain() {
        try (Holdfast client = client()) {
            use(client, first, second);
            Lease held = client.getLock(nameAt(third)).acquire(LONG_LEASE);
            awaitConnections(3 * CONNECTIONS, first, second, third);
            List<String> inUse = connections(third);

            passUntilConnections(0, first, second);

            assertThat(connections(third)).containsExactlyInAnyOrderElementsOf(inUse);
            assertThat(client.isConnected()).isTrue();
            use(client, first);
            awaitConnections(CONNECTIONS, first);
            assertThat(connections(second)).isEmpty();
            eventually(client::isConnected);
            assertThat(held.isValid()).isTrue();
            held.close();
            assertThat(events.all()).isEmpty();
            assertThat(client.stats().reconnects()).isZero();
            assertThat(client.stats().unknownOutcomes()).isZero();
        }
    }

    /** A client that uses nothing stays connected to one master, as it was in the beginning. */
    @Test
    void last_staysConnected() {
        try (Holdfast client = client()) {
            use(client, first, second);
            passUntilConnections(CONNECTIONS, first, second);
            assertThat(client.isConnected()).isTrue();

            use(client, third);
            awaitConnections(2 * CONNECTIONS, first, second, third);

            passUntilConnections(CONNECTIONS, first, second, third);
            assertThat(client.isConnected()).isTrue();
        }
    }

    /** A hold whose lease is not renewed sends nothing: its master stays connected, and the loss of the hold is noticed. */
    @Test
    void held_staysConnected() {
        try (Holdfast client = client()) {
            Lease held = client.getLock(nameAt(first)).acquire(LONG_LEASE);
            Lease other = client.getLock(nameAt(second)).acquire(LONG_LEASE);
            use(client, third);
            awaitConnections(3 * CONNECTIONS, first, second, third);
            List<String> inUse = connections(first, second);

            passUntilConnections(0, third);
            assertThat(connections(first, second)).containsExactlyInAnyOrderElementsOf(inUse);

            first.server().command("DEL", nameAt(first));
            first.server().command("CLIENT", "KILL", "TYPE", "normal");
            assertThat(get(held.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.GONE);
            assertThat(other.isValid()).isTrue();
            other.close();
        }
    }

    /** A master stays connected while a lock of it is waited for, and the waiter is woken by the release. */
    @Test
    void waitedFor_staysConnected() {
        Lease rivals = redis.rival().getLock(nameAt(first)).acquire(LONG_LEASE);
        try (Holdfast client = client()) {
            CompletableFuture<Lease> waiting = client.getLock(nameAt(first)).acquireAsync();
            Lease held = client.getLock(nameAt(third)).acquire(LONG_LEASE);
            use(client, second);
            eventually(() -> client.stats().waiters() == 1);
            awaitConnections(3 * CONNECTIONS, first, second, third);
            List<String> inUse = connections(first);

            passUntilConnections(0, second);

            assertThat(connections(first)).containsExactlyInAnyOrderElementsOf(inUse);
            rivals.close();
            get(waiting).close();
            held.close();
        }
    }

    /** What is to be known of a lock is the same whether its master was connected or not. */
    @Test
    void inspected_isConnected() {
        assumeFalse(second.server().version().startsWith("6."), "it does not count who listens at other nodes");
        try (Holdfast client = client()) {
            use(client, first);
            assertThat(connections(second)).isEmpty();
            assertThat(client.getLock(nameAt(second)).inspect().listeners()).hasValue(0);
        }
    }

    /**
     * Whoever uses a lock at the moment at which its master is found to be idle finds that it has moved to another home:
     * threads that wait, that hold it, that pass it on to each other, and those of another client.
     */
    @Test
    @Tag("slow")
    void replaced_whileLocksAreUsed() {
        ConnectedClient client = ConnectedClient.open(Inside.settings(builder()));
        Guarded guarded = new Guarded();
        Guarded others = new Guarded();
        try {
            List<Crowd> crowds = List.of(
                    new Crowd(client.lock(nameAt(first)), THREADS, guarded),
                    new Crowd(redis.rival().getLock(nameAt(first)), THREADS, guarded),
                    new Crowd(client.fencedLock(nameAt(second)), THREADS, others));
            for (int round = 0; round < ROUNDS; round++) {
                int before = guarded.entered();
                int othersBefore = others.entered();
                IdleMasters.close(client);
                eventually(() -> guarded.entered() > before && others.entered() > othersBefore);
            }
            crowds.forEach(Crowd::stop);
            guarded.assertEntered(guarded.entered());
            others.assertEntered(others.entered());
            assertThat(client.stats().lost()).isZero();
            eventually(() -> client.residue().isEmpty());
            assertThat(redis.keys()).isEmpty();
        } finally {
            client.close(Duration.ZERO);
        }
    }

    /** What was sent on the former connection is not executed late: the next connection ends it. That is no outage either. */
    @Test
    void replaced_formerConnectionIsEnded() {
        ConnectedClient client = ConnectedClient.open(Inside.settings(builder()));
        try {
            DistributedLock lock = client.lock(nameAt(first));
            lock.acquire().close();
            awaitConnections(CONNECTIONS, first);
            String before = commandConnection(first);

            IdleMasters.replace(client);
            lock.acquire().close();

            assertThat(connections(first)).doesNotContain(before);
            eventually(client::isConnected);
            assertThat(events.all()).isEmpty();
        } finally {
            client.close(Duration.ZERO);
        }
    }

    private static String commandConnection(ClusterNode master) {
        return master.server().clients().stream()
                .filter(client -> client.contains(" name=" + NAME + " ") && client.contains(" cmd=evalsha "))
                .map(client -> master.server().port() + client.split(" ", 2)[0])
                .findFirst()
                .orElseThrow();
    }
}
