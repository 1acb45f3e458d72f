package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases that are derived from a predecessor while the command that grants them is unanswered. */
@Tag("pure")
class LeaseHandoffTest {
    private final Rig rig = new Rig();
    private final Holder first = rig.holder("first");
    private final Holder next = rig.holder("next");

    /**
     * Before the reply the lease is valid no longer than its predecessor; after it, as long as its own command proves.
     */
    @Test
    void unconfirmed_validUntilThePredecessorsEnd() {
        KeptLease from = rig.watched(first);
        rig.advanceSeconds(4);
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        assertThat(from.end()).isTrue();
        assertThat(lease.validUntilNanos()).isEqualTo(seconds(30)).isEqualTo(from.validUntilNanos());
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lastConfirmedNanos()).isZero();
        assertThat(lease.startedNanos()).isEqualTo(seconds(4));
        rig.advanceSeconds(1);
        lease.confirmed(seconds(4), Rig.WATCHDOG);
        assertThat(lease.validUntilNanos()).isEqualTo(seconds(34));
        assertThat(lease.lastConfirmedNanos()).isEqualTo(seconds(4));
        rig.advance(Duration.ofMillis(8_990));
        assertThat(rig.store.requests()).isEmpty();
        rig.advance(Duration.ofMillis(10));
        assertThat(rig.store.times()).containsExactly(14_000L);
    }

    /** A command that requests less than the predecessor has left proves no more than that. */
    @Test
    void unconfirmed_validNoLongerThanItsOwnLease() {
        Rig drifting = new Rig(Rig.TERMS.withDriftAllowance(Duration.ofSeconds(3)));
        KeptLease from = drifting.watched(drifting.holder("first"));
        KeptLease lease = drifting.keeper.keepUnconfirmed(drifting.holder("next"), 0, seconds(10), false, from);
        assertThat(from.validUntilNanos()).isEqualTo(seconds(27));
        assertThat(lease.validUntilNanos()).isEqualTo(seconds(9));
    }

    /** Over several unanswered steps the smallest bound of all counts. */
    @Test
    void unconfirmed_chainIsTheLeastOfAll() {
        KeptLease a = rig.watched(first);
        rig.advanceSeconds(1);
        KeptLease b = handOff(a, seconds(5), false);
        a.end();
        rig.advanceSeconds(1);
        KeptLease c = handOff(b, Rig.WATCHDOG, true);
        b.end();
        assertThat(c.validUntilNanos()).isEqualTo(seconds(6));
        b.confirmed(seconds(1), seconds(5));
        c.confirmed(seconds(2), Rig.WATCHDOG);
        assertThat(c.validUntilNanos()).isEqualTo(seconds(32));
    }

    /**
     * Without any reply it is renewed a third of the timeout after its sending, warned of half way, and lost at its
     * bounded end.
     */
    @Test
    void unconfirmed_unansweredUntilTheEnd() {
        KeptLease from = rig.watched(first);
        rig.advanceSeconds(6);
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        from.end();
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(60);
        assertThat(rig.store.times()).startsWith(16_000L);
        assertThat(next.news()).containsExactly("23000 at risk, 7000 left", "30000 lost UNANSWERED");
        assertThat(lease.end()).isFalse();
        assertNothingLeft();
    }

    /** With little time left it is renewed before its end, not a third after its sending. */
    @Test
    void unconfirmed_renewedBeforeItsEnd() {
        KeptLease from = rig.unwatched(first, Duration.ofSeconds(10));
        rig.advanceSeconds(6);
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        from.end();
        rig.advanceSeconds(3);
        assertThat(rig.store.times()).containsExactly(8_000L);
        assertThat(lease.validUntilNanos()).isEqualTo(seconds(38));
        assertThat(next.news()).containsExactly("8000 renewed");
    }

    /** An unwatched lease is lost for the missing reply too, since its own time was never confirmed. */
    @Test
    void unconfirmed_unwatchedLostForWantOfAnAnswer() {
        KeptLease from = rig.unwatched(first, Duration.ofSeconds(2));
        handOff(from, seconds(20), false);
        from.end();
        rig.advanceSeconds(10);
        assertThat(next.news()).containsExactly("2000 lost UNANSWERED");
        assertThat(rig.store.requests()).isEmpty();
        assertNothingLeft();
    }

    /** A refusal by the store ends it at once. */
    @Test
    void unconfirmed_refused() {
        KeptLease from = rig.watched(first);
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        assertThat(from.end()).isTrue();
        assertThat(lease.lose()).isTrue();
        assertThat(next.news()).containsExactly("0 lost REFUSED");
        assertNothingLeft();
    }

    /** A lost lease cannot be a predecessor, however long it would have lasted. */
    @Test
    void from_lost() {
        KeptLease from = rig.watched(first);
        from.lose();
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        assertThat(from.validUntilNanos()).isEqualTo(seconds(30));
        assertThat(lease.isRunning()).isFalse();
        rig.advanceSeconds(1);
        assertThat(next.news()).containsExactly("0 lost UNANSWERED");
    }

    /** Nor can a lease that has expired without a notification so far. */
    @Test
    void from_runOut() {
        KeptLease from = rig.unwatched(first, Duration.ofMillis(15));
        rig.advance(Duration.ofMillis(15));
        assertThat(from.end()).isTrue();
        assertThat(handOff(from, Rig.WATCHDOG, true).isRunning()).isFalse();
    }

    /**
     * The successor of a suspect lease is suspect, and is verified at once; a reply to a command sent before the
     * suspend proves nothing.
     */
    @Test
    void suspect_isHandedOn() {
        KeptLease from = rig.watched(first);
        rig.store.script = ScriptedStore.later();
        rig.advance(Duration.ofMillis(500));
        rig.wallAheadMillis = 8_000;
        rig.advanceSeconds(1);
        assertThat(from.isValid()).isFalse();
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        from.end();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.isRunning()).isTrue();
        rig.advance(Duration.ofMillis(10));
        assertThat(rig.store.last().batch()).containsExactly(next);
        lease.confirmed(Duration.ofMillis(900).toNanos(), Rig.WATCHDOG);
        assertThat(lease.isValid()).as("sent before the suspend was noticed").isFalse();
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.validUntilNanos()).isEqualTo(Duration.ofMillis(31_500).toNanos());
    }

    /**
     * The successor of a suspect lease is trusted when its own command, sent after the suspend was detected, is
     * answered.
     */
    @Test
    void suspect_confirmedByItsOwnCommand() {
        KeptLease from = rig.watched(first);
        rig.store.script = ScriptedStore.later();
        rig.wallAheadMillis = 8_000;
        rig.advanceSeconds(2);
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        from.end();
        lease.confirmed(seconds(2), Rig.WATCHDOG);
        assertThat(lease.isValid()).isTrue();
        int requests = rig.store.requests().size();
        rig.advanceSeconds(9);
        assertThat(rig.store.requests()).as("no request is due any more").hasSize(requests);
    }

    /** A suspend that is only detected at the handoff makes the lease suspect all the same. */
    @Test
    void suspend_noticedByTheHandOn() {
        KeptLease from = rig.watched(first);
        rig.store.script = ScriptedStore.later();
        rig.advance(Duration.ofMillis(500));
        rig.wallAheadMillis = 8_000;
        KeptLease lease = handOff(from, Rig.WATCHDOG, true);
        assertThat(lease.isValid()).isFalse();
        assertThat(rig.store.last().batch()).contains(next);
    }

    /** Nor is the suspend missed because no lease was kept for a moment, or another lease began first. */
    @Test
    void suspend_whileNothingWasKept() {
        for (boolean other : new boolean[] {false, true}) {
            Rig fresh = new Rig();
            KeptLease from = fresh.watched(fresh.holder("first"));
            fresh.advance(Duration.ofMillis(500));
            from.end();
            fresh.wallAheadMillis = 8_000;
            KeptLease unconcerned = other ? fresh.watched(fresh.holder("other")) : null;
            KeptLease lease = fresh.keeper.keepUnconfirmed(
                    fresh.holder("next"), fresh.clock.nanoTime(), Rig.WATCHDOG, true, from);
            assertThat(lease.isValid()).isFalse();
            assertThat(unconcerned == null || unconcerned.isValid()).isTrue();
            fresh.advance(Duration.ofMillis(10));
            assertThat(fresh.store.requests()).hasSize(1);
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** A lease that cannot be renewed is shortened by the length of the suspend, as its predecessor would have been. */
    @Test
    void suspend_shortensWhatIsHandedOn() {
        KeptLease from = rig.unwatched(first, Duration.ofSeconds(60));
        rig.advance(Duration.ofMillis(500));
        rig.wallAheadMillis = 20_000;
        KeptLease lease = handOff(from, seconds(60), false);
        from.end();
        assertThat(rig.store.verifications()).hasSize(1);
        assertThat(lease.validUntilNanos()).isEqualTo(seconds(40));
        assertThat(lease.isValid()).isTrue();
    }

    /** A predecessor of another keeper is rejected, since their clocks do not compare. */
    @Test
    void from_anotherKeeper() {
        KeptLease foreign = new Rig().watched(first);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handOff(foreign, Rig.WATCHDOG, true))
                .withMessageContaining("lease of this keeper");
    }

    /** {@return the new lease, whose granting command is sent just now} */
    private KeptLease handOff(KeptLease from, long leaseNanos, boolean watched) {
        return rig.keeper.keepUnconfirmed(next, rig.clock.nanoTime(), leaseNanos, watched, from);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private void assertNothingLeft() {
        assertThat(rig.keeper.size()).isZero();
        assertThat(rig.deadlines.pending()).isZero();
    }
}
