package dev.holdfast.fault.several;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.RealTime;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis does not answer a caller that searches or waits for a segment. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
class SegmentOutageTest {
    private static final String NAME = "stock:7";
    private static final int SEGMENTS = 3;

    /** What a busy machine may add to a command timeout. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** Short enough for the waiters to try again within a test. */
    private static final Duration LEASE = Duration.ofMillis(800);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();
    private final SegmentedLock lock = client.getSegmentedLock(NAME, SEGMENTS);

    /** No answer is never reported as busy, whatever the wait; and the client works again after it. */
    @RealTime
    void search_silent_fails() {
        faulty.server().pause();

        assertFailsWithin(COMMAND_TIMEOUT.multipliedBy(2), () -> lock.tryAcquire());
        assertFailsWithin(COMMAND_TIMEOUT.multipliedBy(2), () -> lock.acquire());
        assertFailsWithin(Duration.ofMillis(200), () -> lock.tryAcquire(Duration.ofMillis(50)));

        faulty.server().resume();
        eventually(client::isConnected);
        eventually(() ->
                client.getLock("elsewhere").tryAcquire(SOON).map(this::closed).isPresent());
        lock.acquire().close();
    }

    /** If the connection ends before the reply to a query of a search, the query is sent again over the next one. */
    @Test
    void search_connectionIsCut_isRepeated() {
        Holdfast patient = faulty.patientClient();
        List<Lease> held = List.of(
                patient.getSegmentedLock(NAME, SEGMENTS).segment(1).acquire(),
                patient.getSegmentedLock(NAME, SEGMENTS).segment(2).acquire(),
                faulty.bystander().getSegmentedLock(NAME, SEGMENTS).segment(0).acquire());
        faulty.proxy().cutInsteadOfReplyTo(NAME + ":1");

        assertThat(patient.getSegmentedLock(NAME, SEGMENTS).tryAcquire()).isEmpty();

        held.forEach(Lease::close);
    }

    /** A link with a round trip that is longer than a search waits for its first reply. */
    @Test
    void search_farAway() {
        Holdfast farAway = faulty.client();
        faulty.proxy().distance(Duration.ofMillis(100));
        SegmentedLock far = farAway.getSegmentedLock(NAME, SEGMENTS);

        SegmentLease last = far.without(0, 1).acquire();
        assertThat(last.segment()).isEqualTo(2);
        assertThat(far.without(0, 1).tryAcquire()).isEmpty();
        SegmentLease another = far.tryAcquire().orElseThrow();
        assertThat(another.segment()).isLessThan(2);
        SegmentLease third = far.acquire();
        assertThat(far.tryAcquire()).isEmpty();

        List.of(last, another, third).forEach(Lease::close);
    }

    /** A call that waits outlasts a silence, also where it has one segment to ask for; a call without a wait does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void search_silentAtFirst_waits(boolean forOne) {
        SegmentedLock patient = faulty.patientClient().getSegmentedLock(NAME, SEGMENTS);
        SegmentedLock some = forOne ? patient.without(0, 1) : patient;
        faulty.proxy().blackHole();
        CompletableFuture<SegmentLease> waits = some.acquireAsync();
        CompletableFuture<Optional<SegmentLease>> ends = lock.tryAcquireAsync(Duration.ZERO);

        // By then, the hasty client has given up, and the patient one has seen no reply for as long.
        assertThatThrownBy(() -> get(ends, SOON)).isInstanceOf(LockException.class);
        assertThat(waits).isNotDone();
        faulty.proxy().heal();

        get(waits).close();
    }

    /** Callers without a deadline fail once no segment has answered for the command timeout. */
    @RealTime
    void wait_silent_failsWithoutDeadline() {
        holdAll(LEASE);
        CompletableFuture<SegmentLease> waits = lock.acquireAsync();
        CompletableFuture<SegmentLease> another = lock.without(0).acquireAsync();
        faulty.awaitWaiting(client, SEGMENTS);
        faulty.server().pause();

        assertThatThrownBy(() -> get(waits, SOON)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> get(another, SOON)).isInstanceOf(LockException.class);
        faulty.server().resume();
    }

    /** A caller with a deadline outlasts an outage that is shorter. */
    @RealTime
    void wait_silent_withDeadlineGoesOn() {
        holdAll(LEASE);
        CompletableFuture<Optional<SegmentLease>> waits = lock.tryAcquireAsync(LONG);
        CompletableFuture<SegmentLease> fails = lock.acquireAsync();
        faulty.awaitWaiting(client, SEGMENTS);
        faulty.server().pause();
        assertThatThrownBy(() -> get(fails, SOON)).isInstanceOf(LockException.class);
        assertThat(waits).isNotDone();

        faulty.server().resume();
        get(waits, SOON).orElseThrow().close();
    }

    /** A wait that ends in an outage throws at its deadline, though all segments were busy before the outage. */
    @RealTime
    void wait_endsInOutage_neverEmpty() {
        List<Lease> held = holdAll(LONG);
        Duration wait = COMMAND_TIMEOUT.multipliedBy(4);
        long began = System.nanoTime();
        CompletableFuture<Optional<SegmentLease>> waits = lock.tryAcquireAsync(wait);
        faulty.awaitWaiting(client, SEGMENTS);
        faulty.server().pause();

        assertThatThrownBy(() -> get(waits, SOON)).isInstanceOf(LockException.class);
        assertThat(since(began)).isBetween(wait, wait.plus(SLACK));

        faulty.server().resume();
        held.forEach(Lease::close);
    }

    /** A long wait that ends while all segments are busy is refused, however long ago the holders acquired them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wait_longerThanTheCommandTimeout_isRefused(boolean heldHere) throws InterruptedException {
        List<Lease> held = heldHere ? holdAll(client, LONG) : holdAll(LONG);
        assertThat(lock.tryAcquire(COMMAND_TIMEOUT.multipliedBy(4))).isEmpty();
        held.forEach(Lease::close);
    }

    /** The client is closed: a call that waits fails as one for a lock does, with and without a connection. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void close_endsTheWait(boolean connected) {
        List<Lease> held = holdAll(LONG);
        Holdfast closed = faulty.patientClient();
        CompletableFuture<SegmentLease> waits =
                closed.getSegmentedLock(NAME, SEGMENTS).acquireAsync();
        faulty.awaitWaiting(closed, SEGMENTS);
        // A close awaits the outcome of a call that is in flight when the connection ends.
        eventually(() -> !Inside.residue(closed).contains("calls in flight"));
        if (!connected) {
            faulty.proxy().refuse();
            faulty.proxy().cutRst();
            eventually(() -> !closed.isConnected());
        }

        faulty.close(closed);

        assertThatThrownBy(() -> get(waits)).isInstanceOf(LockException.class).hasMessageContaining("CLOSED");
        faulty.proxy().accept();
        held.forEach(Lease::close);
    }

    /** The same for a client that has not been connected yet. */
    @Test
    void close_endsTheWaitForAConnection() {
        faulty.proxy().refuse();
        Holdfast closed = faulty.client(HoldfastBuilder::connectInBackground);
        CompletableFuture<SegmentLease> waits =
                closed.getSegmentedLock(NAME, SEGMENTS).acquireAsync();

        faulty.close(closed);

        assertThatThrownBy(() -> get(waits)).isInstanceOf(LockException.class).hasMessageContaining("CLOSED");
        faulty.proxy().accept();
    }

    private List<Lease> holdAll(Duration lease) {
        return holdAll(faulty.bystander(), lease);
    }

    private static List<Lease> holdAll(Holdfast other, Duration lease) {
        return IntStream.range(0, SEGMENTS)
                .mapToObj(segment -> other.getLock(NAME + ":" + segment).acquire(lease))
                .toList();
    }

    private boolean closed(Lease lease) {
        lease.close();
        return true;
    }

    private interface Acquires {
        Object acquire() throws Exception;
    }

    private static void assertFailsWithin(Duration limit, Acquires call) {
        long began = System.nanoTime();
        assertThatThrownBy(call::acquire).isInstanceOf(LockException.class);
        assertThat(since(began)).isLessThan(limit.plus(SLACK));
    }
}
