package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When leases are renewed, and the effects of replies. */
@Tag("pure")
class LeaseRenewalTest {
    private final Rig rig = new Rig();
    private final Holder holder = rig.holder("a");

    /** A watched lease is renewed every third of the watchdog timeout for as long as it is kept, and no longer. */
    @Test
    void watched_renewedEveryThird() {
        KeptLease lease = rig.watched(holder);
        rig.advanceSeconds(35);
        assertThat(rig.store.times()).containsExactly(10_000L, 20_000L, 30_000L);
        assertThat(holder.news()).containsExactly("10000 renewed", "20000 renewed", "30000 renewed");
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(25).toNanos());
        assertThat(lease.end()).isTrue();
        rig.advanceSeconds(100);
        assertThat(rig.store.requests()).hasSize(3);
    }

    /** The third counts from the last confirmation, whichever command that was. */
    @Test
    void confirmed_putsTheRenewalOff() {
        KeptLease lease = rig.watched(holder);
        rig.advanceSeconds(8);
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        rig.advanceSeconds(9);
        assertThat(rig.store.requests()).isEmpty();
        rig.advanceSeconds(1);
        assertThat(rig.store.times()).containsExactly(18_000L);
        assertThat(lease.startedNanos()).isZero();
    }

    /**
     * A lease's age counts from the sending of its command, not from the reply: the time of a slow reply is not valid
     * time.
     */
    @Test
    void answeredLate_ageCountsFromTheSending() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(12);
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(lease.lastConfirmedNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(28).toNanos());
        rig.advanceSeconds(8);
        assertThat(rig.store.times()).containsExactly(10_000L, 20_000L);
    }

    /** The drift allowance is subtracted from the trusted time, not from the requested time. */
    @Test
    void drift_shortensWhatIsTrusted() {
        Rig drifting = new Rig(Rig.TERMS.withDriftAllowance(Duration.ofSeconds(3)));
        KeptLease lease = drifting.watched(drifting.holder("a"));
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(27).toNanos());
        drifting.advanceSeconds(10);
        assertThat(drifting.store.times()).containsExactly(10_000L);
    }

    /** The trusted time is never shortened by a later, shorter command or by one that was sent earlier. */
    @Test
    void confirmed_neverShrinks() {
        KeptLease lease = rig.unwatched(holder, Duration.ofSeconds(60));
        rig.advanceSeconds(5);
        lease.confirmed(rig.clock.nanoTime(), Duration.ofSeconds(1).toNanos());
        lease.confirmed(0, Duration.ofSeconds(10).toNanos());
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(55).toNanos());
        assertThat(lease.lastConfirmedNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
    }

    /** The policy can change in both directions while the lease is kept. */
    @Test
    void watch_changesThePolicy() {
        KeptLease lease = rig.unwatched(holder, Duration.ofSeconds(40));
        rig.advanceSeconds(15);
        lease.watch(true);
        rig.advanceSeconds(1);
        assertThat(rig.store.times()).as("overdue, so at once").containsExactly(15_010L);
        lease.watch(false);
        rig.advance(Duration.ofSeconds(29));
        assertThat(rig.store.requests()).hasSize(1);
        assertThat(holder.news()).containsExactly("15010 renewed");
        rig.advance(Duration.ofMillis(10));
        assertThat(holder.news()).endsWith("45010 lost EXPIRED");
    }

    /** A short lease that becomes watched is renewed before it expires, although a third of the timeout is later. */
    @Test
    void watch_shortLease() {
        KeptLease lease = rig.unwatched(holder, Duration.ofSeconds(6));
        lease.watch(true);
        rig.advanceSeconds(30);
        assertThat(rig.store.times()).containsExactly(3_000L, 13_000L, 23_000L);
        assertThat(lease.isValid()).isTrue();
    }

    /** While a request is in flight no second one is sent; when its reply is overdue it is given up and sent again. */
    @Test
    void hungStore_retriedInBoundedTime() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advance(Duration.ofMillis(12_990));
        assertThat(rig.store.requests()).hasSize(1);
        rig.advance(Duration.ofMillis(510));
        assertThat(rig.store.times()).containsExactly(10_000L, 13_500L);
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(lease.remainingNanos()).isEqualTo(Rig.WATCHDOG);
    }

    /** A reply to a request that was given up still counts for what it proves. */
    @Test
    void hungStore_answersAfterAll() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(14);
        assertThat(rig.store.requests()).hasSize(2);
        rig.store.requests().get(0).answer(RenewalOutcome.RENEWED);
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(26).toNanos());
        rig.store.last().answer(RenewalOutcome.UNKNOWN);
        rig.store.script = ScriptedStore.always(RenewalOutcome.RENEWED);
        rig.advanceSeconds(1);
        assertThat(rig.store.times()).containsExactly(10_000L, 13_500L, 14_500L);
        assertThat(lease.isValid()).isTrue();
    }

    /**
     * A request without a reply is retried at growing, bounded intervals; after a reply the next renewal follows after
     * the usual third.
     */
    @Test
    void unknown_retriedSoonUntilRenewed() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        rig.advanceSeconds(22);
        assertThat(rig.store.times()).containsExactly(10_000L, 10_500L, 11_500L, 13_500L, 16_500L, 19_500L);
        assertThat(lease.isValid()).isTrue();
        rig.store.script = ScriptedStore.always(RenewalOutcome.RENEWED);
        rig.advanceSeconds(11);
        assertThat(rig.store.times()).endsWith(22_500L, 32_500L);
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left", "22500 renewed", "32500 renewed");
    }

    /**
     * Every failure of the store counts as no reply: the lease continues, one message is logged, and the next reply
     * counts.
     */
    @ParameterizedTest
    @ValueSource(strings = {"throws", "fails", "null stage", "null list", "short list", "null outcome", "error"})
    void storeFailure_isUnknownAndEndsNothing(String failure) {
        KeptLease lease = rig.watched(holder);
        rig.watched(rig.holder("b"));
        rig.store.script = failing(failure);
        try (CapturedLog log = new CapturedLog()) {
            rig.advanceSeconds(15);
            assertThat(rig.store.requests()).hasSize(4);
            assertThat(log.warnings()).singleElement().asString().contains("no reply for 2 of 2 leases", "10000 ms");
        }
        rig.store.script = ScriptedStore.always(RenewalOutcome.RENEWED);
        rig.advanceSeconds(100);
        assertThat(lease.isValid()).isTrue();
    }

    /** An exception of a subject's callback ends neither its own renewal nor another's. */
    @Test
    void callbackFailure_endsNothing() {
        holder.failing = true;
        Holder other = rig.holder("b");
        KeptLease lease = rig.watched(holder);
        rig.watched(other);
        try (CapturedLog log = new CapturedLog()) {
            rig.advanceSeconds(30);
            assertThat(log.warnings()).hasSize(6);
        }
        assertThat(other.news()).containsExactly("10000 renewed", "20000 renewed", "30000 renewed");
        assertThat(holder.news()).isEqualTo(other.news());
        assertThat(lease.isValid()).isTrue();
    }

    /** The happy path logs nothing above DEBUG. */
    @Test
    void happyPath_isSilent() {
        try (CapturedLog log = new CapturedLog()) {
            KeptLease lease = rig.watched(holder);
            rig.advanceSeconds(60);
            lease.end();
            assertThat(log.warnings()).isEmpty();
        }
    }

    /** A later tenure of the same owner is a separate lease: the outcome of the earlier one does not affect it. */
    @Test
    void sameSubject_leasesDoNotShadowEachOther() {
        KeptLease first = rig.watched(holder);
        rig.advanceSeconds(4);
        KeptLease second = rig.watched(holder);
        assertThat(first.lose()).isTrue();
        rig.advanceSeconds(36);
        assertThat(second.isValid()).isTrue();
        assertThat(rig.store.times()).containsExactly(14_000L, 24_000L, 34_000L);
    }

    /** The age of one lease does not affect another that begins meanwhile. */
    @Test
    void leases_keepTheirOwnLength() {
        KeptLease shorter = rig.unwatched(rig.holder("short"), Duration.ofSeconds(5));
        KeptLease longer = rig.watched(holder);
        rig.advanceSeconds(6);
        assertThat(shorter.isValid()).isFalse();
        assertThat(longer.remainingNanos()).isEqualTo(Duration.ofSeconds(24).toNanos());
    }

    /** Violates the null contract on purpose, as a store might. */
    @SuppressWarnings("NullAway")
    private static Function<ScriptedStore.Request, CompletionStage<List<RenewalOutcome>>> failing(String how) {
        return request -> switch (how) {
            case "throws" -> throw new IllegalStateException("made to fail");
            case "error" -> throw new AssertionError("made to fail");
            case "fails" -> CompletableFuture.failedFuture(new IllegalStateException("made to fail"));
            case "null stage" -> null;
            case "null list" -> CompletableFuture.completedFuture(null);
            case "short list" -> CompletableFuture.completedFuture(List.of(RenewalOutcome.LOST));
            default -> CompletableFuture.completedFuture(new ArrayList<>(Arrays.asList(null, null)));
        };
    }
}
