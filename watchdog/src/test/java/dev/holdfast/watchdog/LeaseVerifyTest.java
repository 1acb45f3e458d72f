package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All leases at once: after a reconnect, and after a suspend. */
@Tag("pure")
class LeaseVerifyTest {
    private final Rig rig = new Rig();
    private final Holder watching = rig.holder("watched");
    private final Holder explicit = rig.holder("explicit");

    /** On a reconnect watched leases are renewed and the others verified, which does not extend them. */
    @Test
    void verifyAll_renewsOrVerifies() {
        KeptLease watched = rig.watched(watching);
        KeptLease unwatched = rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.advanceSeconds(5);
        rig.keeper.verifyAll();
        assertThat(rig.store.renewals()).singleElement().satisfies(request -> assertThat(request.batch())
                .containsExactly(watching));
        assertThat(rig.store.verifications()).singleElement().satisfies(request -> assertThat(request.batch())
                .containsExactly(explicit));
        assertThat(watched.remainingNanos()).isEqualTo(Rig.WATCHDOG);
        assertThat(unwatched.remainingNanos()).isEqualTo(Duration.ofSeconds(15).toNanos());
        rig.advanceSeconds(16);
        assertThat(rig.store.verifications()).hasSize(1);
        assertThat(explicit.news()).containsExactly("20000 lost EXPIRED");
    }

    /** An explicit lease that the store no longer has is lost at once, not when it would have expired. */
    @Test
    void verifyAll_findsALoss() {
        rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.store.script = ScriptedStore.always(RenewalOutcome.LOST);
        rig.keeper.verifyAll();
        assertThat(explicit.news()).containsExactly("0 lost REFUSED");
    }

    /** A verification without a reply is repeated until it has one. */
    @Test
    void verifyAll_unknownIsRetried() {
        rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        rig.keeper.verifyAll();
        rig.advanceSeconds(1);
        rig.store.script = ScriptedStore.always(RenewalOutcome.RENEWED);
        rig.advanceSeconds(10);
        assertThat(rig.store.times()).containsExactly(0L, 500L, 1_500L);
        assertThat(explicit.news()).isEmpty();
    }

    /** Only the leases that are concerned are verified. */
    @Test
    void verify_some() {
        rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.unwatched(watching, Duration.ofSeconds(20));
        rig.keeper.verify(subject -> subject == watching);
        assertThat(rig.store.verifications()).singleElement().satisfies(request -> assertThat(request.batch())
                .containsExactly(watching));
    }

    /** Whichever leases have ended, in the middle or at either end of the list, all others are still verified. */
    @Test
    void verifyAll_afterOthersHaveLeft() {
        List<Holder> holders =
                IntStream.range(0, 6).mapToObj(i -> rig.holder("h" + i)).toList();
        List<KeptLease> leases = holders.stream().map(rig::watched).toList();
        for (int left : new int[] {2, 3, 5, 0}) {
            leases.get(left).end();
        }
        rig.keeper.verifyAll();
        assertThat(rig.store.last().batch()).containsExactlyInAnyOrder(holders.get(1), holders.get(4));
        assertThat(rig.keeper.size()).isEqualTo(2);
    }

    /** Requests in flight on the lost connection are not waited for. */
    @Test
    void verifyAll_supersedesWhatIsInFlight() {
        KeptLease lease = rig.watched(watching);
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(11);
        rig.keeper.verifyAll();
        assertThat(rig.store.times()).containsExactly(10_000L, 11_000L);
        rig.store.requests().get(0).answer(RenewalOutcome.UNKNOWN);
        rig.store.requests().get(1).answer(RenewalOutcome.RENEWED);
        assertThat(lease.remainingNanos()).isEqualTo(Rig.WATCHDOG);
        assertThat(watching.news()).containsExactly("11000 renewed");
    }

    /** The batches of a reconnect are limited like any other. */
    @Test
    void verifyAll_batchesAreCapped() {
        IntStream.range(0, 501).forEach(i -> rig.watched(rig.holder("w" + i)));
        IntStream.range(0, 501).forEach(i -> rig.unwatched(rig.holder("u" + i), Duration.ofSeconds(20)));
        rig.keeper.verifyAll();
        assertThat(rig.store.renewals())
                .extracting(request -> request.batch().size())
                .containsExactly(500, 1);
        assertThat(rig.store.verifications())
                .extracting(request -> request.batch().size())
                .containsExactly(500, 1);
    }

    /** A wall clock far ahead makes every lease invalid at once, until the store has replied. */
    @Test
    void suspend_invalidUntilConfirmed() {
        KeptLease lease = rig.watched(watching);
        rig.store.script = ScriptedStore.later();
        rig.advance(Duration.ofMillis(2_500));
        rig.wallAheadMillis = 8_000;
        assertThat(lease.isValid()).as("before the clock comparison").isFalse();
        rig.advance(Duration.ofMillis(500));
        assertThat(rig.store.times()).containsExactly(3_000L);
        assertThat(lease.isValid()).as("requested, not answered").isFalse();
        lease.confirmed(Duration.ofSeconds(2).toNanos(), Rig.WATCHDOG);
        assertThat(lease.isValid()).as("confirmed by what was sent before").isFalse();
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remainingNanos()).isEqualTo(Rig.WATCHDOG);
        rig.advanceSeconds(5);
        assertThat(rig.store.requests()).as("one suspend, one request").hasSize(1);
    }

    /**
     * A lease that is granted while the clocks are apart has time left, and is verified at once: it is suspect like all
     * others, but it is not refused, nor taken for expired.
     */
    @Test
    void suspend_noticedByAGrant() {
        rig.watched(watching);
        rig.store.script = ScriptedStore.later();
        rig.wallAheadMillis = 8_000;
        KeptLease granted = rig.watched(rig.holder("new"));
        assertThat(granted.isRunning()).isTrue();
        assertThat(granted.isValid()).isFalse();
        assertThat(rig.store.last().batch()).hasSize(2);
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(granted.isValid()).isTrue();
    }

    /** A lease that cannot be renewed is shortened by the length of a suspend. */
    @Test
    void suspend_shortensAnExplicitLease() {
        KeptLease lease = rig.unwatched(explicit, Duration.ofSeconds(60));
        rig.advance(Duration.ofMillis(2_500));
        rig.wallAheadMillis = 20_000;
        rig.advance(Duration.ofMillis(500));
        assertThat(rig.store.verifications()).hasSize(1);
        assertThat(lease.remainingNanos()).isEqualTo(Duration.ofSeconds(37).toNanos());
        rig.advanceSeconds(37);
        assertThat(explicit.news()).containsExactly("40000 lost EXPIRED");
    }

    /**
     * If a suspend was longer than the lease and a later confirmation proves too short a time, the lease is lost by it.
     */
    @Test
    void suspend_longerThanTheLease_confirmedForTooShort() {
        KeptLease lease = rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.store.script = ScriptedStore.later();
        rig.wallAheadMillis = 30_000;
        rig.advanceSeconds(1);
        long sent = rig.clock.nanoTime();
        rig.advanceSeconds(3);
        assertThat(explicit.news()).as("not answered").isEmpty();
        assertThat(lease.confirmed(sent, Duration.ofSeconds(2).toNanos())).isFalse();
        assertThat(explicit.news()).containsExactly("4000 lost EXPIRED");
        rig.assertNothingLeft();
    }

    /** Suspends that are each below the threshold add up: within one lease they cost it as much as a single one. */
    @Test
    void suspend_severalShortOnes() {
        KeptLease lease = rig.unwatched(explicit, Duration.ofSeconds(60));
        for (int second = 1; second <= 4; second++) {
            rig.wallAheadMillis += 600;
            rig.advanceSeconds(1);
        }
        assertThat(rig.store.verifications())
                .as("after each that makes it a second")
                .hasSize(2);
        assertThat(lease.remainingNanos())
                .isBetween(
                        Duration.ofMillis(60_000 - 4_000 - 2_400).toNanos(),
                        Duration.ofMillis(60_000 - 4_000 - 2_400 + 10).toNanos());
    }

    /** They also add up across a time in which no lease was kept and the clocks were not compared. */
    @Test
    void suspend_severalShortOnes_afterAnIdleTime() {
        rig.advanceSeconds(3_600);
        rig.unwatched(explicit, Duration.ofSeconds(60));
        for (int second = 1; second <= 2; second++) {
            rig.wallAheadMillis += 900;
            rig.advanceSeconds(1);
        }
        assertThat(rig.store.verifications()).hasSize(1);
    }

    /** They make the lease suspect as soon as they add up, and not at the next clock comparison. */
    @Test
    void suspend_severalShortOnes_doubtedAtOnce() {
        KeptLease lease = rig.watched(watching);
        rig.wallAheadMillis += 600;
        rig.advanceSeconds(1);
        assertThat(lease.isValid()).isTrue();
        rig.wallAheadMillis += 600;
        assertThat(lease.isValid()).isFalse();
    }

    /** Clocks that only drift apart never count as a suspend, for however long. */
    @Test
    void wallClock_drifts() {
        KeptLease lease = rig.watched(watching);
        for (int minute = 0; minute < 120; minute++) {
            rig.wallAheadMillis += 30;
            rig.advanceSeconds(60);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(rig.store.verifications()).isEmpty();
        assertThat(rig.store.renewals()).hasSize(120 * 6);
    }

    /** When the wall clock is set back, its earlier lead no longer counts towards a suspend. */
    @Test
    void wallClock_setBackBetween() {
        KeptLease lease = rig.watched(watching);
        for (long ahead : new long[] {900, 0, 900, 0, 900}) {
            rig.wallAheadMillis = ahead;
            rig.advanceSeconds(1);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(rig.store.requests()).isEmpty();
    }

    /** A lease that another owner acquired during the suspend is lost as soon as the store replies. */
    @Test
    void suspend_lostMeanwhile() {
        rig.watched(watching);
        rig.store.script = ScriptedStore.always(RenewalOutcome.LOST);
        rig.wallAheadMillis = 40_000;
        rig.advanceSeconds(1);
        assertThat(watching.news()).containsExactly("1000 lost REFUSED");
    }

    /** The wall clock may be set back, or run ahead by less than the threshold, without effect. */
    @Test
    void wallClock_harmlessChanges() {
        KeptLease lease = rig.watched(watching);
        for (long ahead : new long[] {900, -3_600_000, -3_599_100}) {
            rig.wallAheadMillis = ahead;
            assertThat(lease.isValid()).isTrue();
            rig.advanceSeconds(1);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(rig.store.requests()).isEmpty();
    }

    /** A suspend while no lease was kept has no effect. */
    @Test
    void suspend_beforeTheLease() {
        rig.watched(rig.holder("earlier")).end();
        rig.wallAheadMillis = 3_600_000;
        KeptLease lease = rig.watched(watching);
        rig.advanceSeconds(5);
        assertThat(lease.isValid()).isTrue();
        assertThat(rig.store.requests()).isEmpty();
    }
}
