package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Leases that fall due together are renewed in batches: their size, and the handling of leases whose batch is deferred.
 */
@Tag("pure")
class LeaseBatchTest {
    private final Rig rig = new Rig();

    /** Leases that fall due in one tick are in one batch, in which each has its own outcome. */
    @Test
    void dueTogether_oneBatchOwnOutcomes() {
        List<Holder> holders = List.of(rig.holder("a"), rig.holder("b"), rig.holder("c"));
        List<KeptLease> leases = holders.stream().map(rig::watched).toList();
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(10);
        assertThat(rig.store.requests()).hasSize(1);
        ScriptedStore.Request request = rig.store.last();
        assertThat(request.batch()).containsExactlyInAnyOrderElementsOf(holders);
        request.answer()
                .complete(request.batch().stream()
                        .map(h -> h.toString().equals("b") ? RenewalOutcome.LOST : RenewalOutcome.RENEWED)
                        .toList());
        assertThat(leases).extracting(KeptLease::isValid).containsExactly(true, false, true);
        assertThat(holders.get(1).news()).containsExactly("10000 lost REFUSED");
        assertThat(rig.keeper.size()).isEqualTo(2);
    }

    /** A batch never exceeds the store's limit, and no lease is left out. */
    @Test
    void dueTogether_batchesAreCapped() {
        IntStream.range(0, 1_201).forEach(i -> rig.watched(rig.holder("h" + i)));
        rig.advanceSeconds(10);
        assertThat(rig.store.requests())
                .extracting(request -> request.batch().size())
                .containsExactly(500, 500, 201);
        assertThat(rig.store.renewals().stream().flatMap(request -> request.batch().stream()))
                .doesNotHaveDuplicates()
                .hasSize(1_201);
    }

    /** If batches are unanswered, a tick sends a few and the next ticks the rest: each lease once, none left out. */
    @Test
    void dueTogether_unansweredBatchesAreSpread() {
        IntStream.range(0, 5_000).forEach(i -> rig.watched(rig.holder("h" + i)));
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(10);
        assertThat(rig.store.requests()).hasSize(4);
        rig.advance(Duration.ofMillis(9));
        assertThat(rig.store.requests()).hasSize(4);
        rig.advanceSeconds(1);
        assertThat(rig.store.times())
                .containsExactly(
                        10_000L, 10_000L, 10_000L, 10_000L, 10_010L, 10_010L, 10_010L, 10_010L, 10_020L, 10_020L);
        assertThat(rig.store.requests().stream().flatMap(request -> request.batch().stream()))
                .doesNotHaveDuplicates()
                .hasSize(5_000);
    }

    /** A lease that ends while its batch is deferred is not renewed, and one that expires meanwhile does so on time. */
    @Test
    void dueTogether_overBeforeItsBatchIsSent() {
        Holder ending = rig.holder("ending");
        Holder expiring = rig.holder("expiring");
        Holder staying = rig.holder("staying");
        IntStream.range(0, 2_000).forEach(i -> rig.watched(rig.holder("h" + i)));
        KeptLease ends = rig.unwatched(ending, Duration.ofSeconds(20));
        rig.unwatched(expiring, Duration.ofMillis(5));
        rig.unwatched(staying, Duration.ofSeconds(20));
        rig.store.script = ScriptedStore.later();
        rig.keeper.verifyAll();
        assertThat(rig.store.requests()).hasSize(4).allMatch(ScriptedStore.Request::renewal);
        ends.end();
        rig.advance(Duration.ofMillis(10));
        assertThat(expiring.news()).containsExactly("10 lost EXPIRED");
        assertThat(rig.store.verifications()).singleElement().satisfies(request -> assertThat(request.batch())
                .containsExactly(staying));
    }

    /** A closed keeper sends nothing more, not even deferred batches. */
    @Test
    void dueTogether_closedBeforeItsBatchIsSent() {
        IntStream.range(0, 5_000).forEach(i -> rig.watched(rig.holder("h" + i)));
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(10);
        rig.keeper.close();
        rig.advanceSeconds(1);
        assertThat(rig.store.requests()).hasSize(4);
        rig.advanceSeconds(20);
        assertThat(rig.keeper.size()).isZero();
        assertThat(rig.deadlines.pending()).isZero();
    }

    /** A reconnect verifies all leases anew, and none twice: deferred ones are part of that. */
    @Test
    void dueTogether_verifiedBeforeTheirBatchIsSent() {
        IntStream.range(0, 5_000).forEach(i -> rig.watched(rig.holder("h" + i)));
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(10);
        rig.keeper.verifyAll();
        rig.advanceSeconds(1);
        assertThat(rig.store.requests()).hasSize(4 + 10);
        assertThat(rig.store.requests().stream().skip(4).flatMap(request -> request.batch().stream()))
                .doesNotHaveDuplicates();
    }
}
