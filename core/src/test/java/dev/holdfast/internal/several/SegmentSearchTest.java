package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockException;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A search for a free segment, whose replies come in an order that the test chooses. */
@Tag("pure")
final class SegmentSearchTest {
    private static final Duration UNTIL_LATE = Duration.ofMillis(110);
    private static final long BUSY = -TwoNodes.LEASE.toMillis();

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /** The queries that have no reply, by segment key. */
    private final Map<LockKey, CompletableFuture<Boolean>> queries = new HashMap<>();

    private final Segments segments = new Segments(
            nodes.parts.holds().session(),
            nodes.parts.acquisitions(),
            nodes.parts.holds().locks(),
            segment -> true,
            this::query);

    private CompletableFuture<Boolean> query(LockKey segment) {
        CompletableFuture<Boolean> query = new CompletableFuture<>();
        queries.put(segment, query);
        return query;
    }

    /** {@return what the call is granted} */
    private CompletableFuture<Optional<PartAcquisition>> search(int size, long waitNanos) {
        SegmentSet lock = new SegmentSet("stock:7", size, name -> new LockKey(new PlainKind(), name, ""));
        BitSet wanted = lock.all();
        return segments.begin(lock, wanted, nodes.parts.holds().watchedLease(), waitNanos)
                .toFuture(granted -> granted);
    }

    private void allQueriesSay(boolean locked) {
        Map.copyOf(queries).values().forEach(query -> query.complete(locked));
    }

    /** A reply over a long link is no failure: the first try that is late is granted. */
    @Test
    void first_isLate_isGranted() {
        CompletableFuture<Optional<PartAcquisition>> call = search(3, 0);
        nodes.timer.advance(UNTIL_LATE);
        assertThat(queries).hasSize(2);
        allQueriesSay(true);

        nodes.former.reply(nodes.former.tenure());

        assertThat(TwoNodes.get(call)).isPresent();
    }

    /** A call without a wait ends when the first try has an answer too, and knows then that all are busy. */
    @Test
    void first_isLate_allAreBusy() {
        CompletableFuture<Optional<PartAcquisition>> call = search(3, 0);
        nodes.timer.advance(UNTIL_LATE);
        allQueriesSay(true);
        assertThat(call).isNotDone();

        nodes.former.reply(BUSY);

        assertThat(TwoNodes.get(call)).isEmpty();
    }

    /** A call for one segment has nothing else to ask for. */
    @Test
    void first_isLate_ofOne() {
        CompletableFuture<Optional<PartAcquisition>> call = search(1, 0);
        nodes.timer.advance(UNTIL_LATE);
        assertThat(queries).isEmpty();

        nodes.former.reply(nodes.former.tenure());

        assertThat(TwoNodes.get(call)).isPresent();
    }

    /** If another is found free while the first is late, both may be granted: the call has one, the other is released. */
    @Test
    void first_isLate_anotherIsFree_oneIsReleased() {
        CompletableFuture<Optional<PartAcquisition>> call = search(2, 0);
        long first = nodes.former.tenure();
        nodes.timer.advance(UNTIL_LATE);
        allQueriesSay(false);
        assertThat(nodes.former.unanswered()).isEqualTo(2);

        nodes.former.reply(first);
        PartAcquisition granted = TwoNodes.get(call).orElseThrow();
        assertThat(granted.granted().tenure()).isEqualTo(first);
        long second = nodes.former.tenure();
        nodes.former.reply(second);

        TwoNodes.assertReleases(nodes.former, second);
    }

    /** A call that may wait does so beside a first try that is late: no free segment is left unrequested. */
    @Test
    void first_isLate_callWaits() {
        CompletableFuture<Optional<PartAcquisition>> call = search(2, AcquireRequest.FOR_EVER);
        nodes.timer.advance(UNTIL_LATE);

        assertThat(segments.size()).isEqualTo(1);
        nodes.former.reply(nodes.former.tenure());
        assertThat(TwoNodes.get(call)).isPresent();
    }

    /**
     * A call that waits less than the replies take has begun to wait for the segments when the last reply to its search
     * arrives: it knows from these that all are busy.
     */
    @Test
    void repliesAreLate_allAreBusy() {
        CompletableFuture<Optional<PartAcquisition>> call =
                search(3, Duration.ofMillis(50).toNanos());
        nodes.timer.advance(Duration.ofMillis(60));
        nodes.former.reply(BUSY);
        nodes.timer.advance(Duration.ofMillis(50));
        assertThat(segments.size()).isEqualTo(1);

        allQueriesSay(true);

        assertThat(TwoNodes.get(call)).isEmpty();
    }

    /** Without any answer, the call without a wait fails after the command timeout, which its message names. */
    @Test
    void silent_fails() {
        CompletableFuture<Optional<PartAcquisition>> call = search(2, 0);

        nodes.timer.advance(Duration.ofSeconds(4));

        assertThatThrownBy(() -> TwoNodes.get(call))
                .hasCauseInstanceOf(LockException.class)
                .hasMessageContaining("a segment of lock 'stock:7' was not acquired: after 3");
    }
}
