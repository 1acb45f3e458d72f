package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a lease is lost: expired, refused, abandoned, closed. */
@Tag("pure")
class LeaseLossTest {
    private final Rig rig = new Rig();
    private final Holder holder = rig.holder("a");

    /**
     * A lease without replies is lost when its time has passed, not when a request times out; this is notified once.
     */
    @Test
    void unanswered_lostExactlyAtValidUntil() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        rig.advance(Duration.ofMillis(29_999));
        assertThat(lease.isValid()).isTrue();
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left");
        rig.advanceSeconds(60);
        assertThat(lease.isValid()).isFalse();
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left", "30000 lost UNANSWERED");
        rig.assertNothingLeft();
    }

    /** A renewal that hangs for ever does not delay the loss. */
    @Test
    void hungRenewal_lostExactlyAtValidUntil() {
        rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(60);
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left", "30000 lost UNANSWERED");
        rig.store.requests().forEach(request -> request.answer(RenewalOutcome.RENEWED));
        assertThat(holder.news()).as("answers after the end").hasSize(2);
        rig.assertNothingLeft();
    }

    /** Validity ends on time even before the timer notifies the loss. */
    @Test
    void isValid_doesNotWaitForTheTimer() {
        KeptLease lease = rig.keeper.keep(
                holder, rig.clock.nanoTime(), Duration.ofMillis(15).toNanos(), false);
        rig.advance(Duration.ofMillis(15));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remainingNanos()).isZero();
        assertThat(holder.news()).isEmpty();
        rig.advance(Duration.ofMillis(5));
        assertThat(holder.news()).containsExactly("20 lost EXPIRED");
    }

    /**
     * A caller that cannot wait for the timer can have the loss notified at once, with the same reason, and only once.
     */
    @Test
    void expireIfDue_reportsBeforeTheTimer() {
        KeptLease lease = rig.keeper.keep(
                holder, rig.clock.nanoTime(), Duration.ofMillis(15).toNanos(), false);
        lease.expireIfDue();
        assertThat(holder.news()).isEmpty();
        rig.advance(Duration.ofMillis(15));
        lease.expireIfDue();
        assertThat(holder.news()).containsExactly("15 lost EXPIRED");
        rig.advanceSeconds(1);
        lease.expireIfDue();
        assertThat(holder.news()).hasSize(1);
        rig.assertNothingLeft();
    }

    /** A confirmation after the end, before the timer has fired, loses the lease for good. */
    @Test
    void confirmed_tooLate() {
        KeptLease lease = rig.watched(holder);
        rig.advanceSeconds(5);
        long sent = rig.clock.nanoTime();
        rig.clock.standStill(Duration.ofSeconds(25));
        assertThat(lease.confirmed(sent, Rig.WATCHDOG)).isFalse();
        assertThat(lease.isRunning()).isFalse();
        assertThat(holder.news()).containsExactly("30000 lost STALLED");
        rig.assertNothingLeft();
    }

    /**
     * The cause of a loss is available as soon as the lease is lost, before the notification; and only for a lost
     * lease.
     */
    @Test
    void loss_isSetBeforeItIsReported() {
        KeptLease[] kept = new KeptLease[1];
        List<LossCause> whenNotified = new ArrayList<>();
        Holder curious = new Holder("curious", rig) {
            @Override
            public void lost(LossCause loss) {
                whenNotified.add(Objects.requireNonNull(kept[0].loss()));
            }
        };
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        kept[0] = rig.watched(curious);
        KeptLease ended = rig.watched(holder);
        assertThat(kept[0].loss()).isNull();
        ended.end();

        rig.advanceSeconds(31);

        assertThat(whenNotified).containsExactly(LossCause.UNANSWERED);
        assertThat(kept[0].loss()).isEqualTo(LossCause.UNANSWERED);
        assertThat(ended.loss()).isNull();
    }

    /** An unwatched lease is never renewed and expires at its time. */
    @Test
    void unwatched_expires() {
        KeptLease lease = rig.unwatched(holder, Duration.ofSeconds(40));
        rig.advanceSeconds(41);
        assertThat(rig.store.requests()).isEmpty();
        assertThat(holder.news()).containsExactly("40000 lost EXPIRED");
        assertThat(lease.end()).isFalse();
        rig.assertNothingLeft();
    }

    /**
     * Many leases that expire at once with slow notifications are all notified, and another deadline runs in between.
     */
    @Test
    void manyLost_takeTurnsWithOthers() {
        AtomicLong spent = new AtomicLong();
        List<String> calls = new ArrayList<>();
        Deadlines slow = new Deadlines(rig.timer, () -> rig.clock.nanoTime() + spent.get(), Deadlines.DEFAULT_TICK);
        LeaseKeeper<Holder> keeper = new LeaseKeeper<>(slow, rig::millis, Rig.TERMS, rig.store);
        Holder dawdler = new Holder("dawdler", rig) {
            @Override
            public void lost(LossCause loss) {
                calls.add("lost");
                spent.addAndGet(Duration.ofMillis(3).toNanos());
                slow.schedule(
                        new Deadline() {
                            @Override
                            protected void expired() {
                                calls.add("other");
                            }
                        },
                        slow.nanoTime());
            }
        };
        for (int i = 0; i < 4; i++) {
            keeper.keep(dawdler, 0, Duration.ofSeconds(1).toNanos(), false);
        }
        rig.advanceSeconds(2);
        assertThat(calls).hasSize(8).startsWith("lost", "lost").doesNotContainSequence("lost", "lost", "lost");
        assertThat(keeper.size()).isZero();
    }

    /** A lease whose grant took longer than its time is lost at once. */
    @Test
    void keep_alreadyRunOut() {
        rig.advanceSeconds(5);
        KeptLease lease = rig.keeper.keep(holder, 0, Duration.ofSeconds(1).toNanos(), false);
        assertThat(lease.isValid()).isFalse();
        rig.advance(Duration.ofMillis(10));
        assertThat(holder.news()).containsExactly("5000 lost EXPIRED");
    }

    /** A reply of the store that the lease is lost ends it at once, and once. */
    @Test
    void refused_lostOnce() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.always(RenewalOutcome.LOST);
        rig.advanceSeconds(60);
        assertThat(holder.news()).containsExactly("10000 lost REFUSED");
        assertThat(lease.lose()).isFalse();
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        lease.watch(true);
        assertThat(lease.isValid()).isFalse();
        rig.assertNothingLeft();
    }

    /**
     * A loss that is detected elsewhere can be reported; the subject is notified once, whatever ends the lease
     * afterwards.
     */
    @Test
    void lose_reportsOnce() {
        KeptLease lease = rig.watched(holder);
        assertThat(lease.lose()).isTrue();
        assertThat(lease.lose()).isFalse();
        assertThat(lease.end()).isFalse();
        rig.advanceSeconds(60);
        assertThat(holder.news()).containsExactly("0 lost REFUSED");
        rig.assertNothingLeft();
    }

    /** A LOST reply to a command sent before a later confirmation is outdated. */
    @Test
    void stale_lostBeforeALaterConfirmation() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advanceSeconds(11);
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        rig.store.last().answer(RenewalOutcome.LOST);
        assertThat(lease.remainingNanos()).isEqualTo(Rig.WATCHDOG);
        assertThat(holder.news()).isEmpty();
        rig.store.script = ScriptedStore.always(RenewalOutcome.RENEWED);
        rig.advanceSeconds(10);
        assertThat(holder.news()).containsExactly("21000 renewed");
    }

    /** An abandoned lease is no longer renewed, is notified once, and expires as intended. */
    @Test
    void abandoned_runsOut() {
        rig.watched(holder);
        rig.advanceSeconds(15);
        holder.abandoned = true;
        rig.advanceSeconds(60);
        assertThat(rig.store.times()).containsExactly(10_000L);
        assertThat(holder.news()).containsExactly("10000 renewed", "20000 abandoned, 20000 left", "40000 lost EXPIRED");
        rig.assertNothingLeft();
    }

    /** A hold is renewed up to its maximum duration, then expires as intended. */
    @Test
    void maxHold_runsOut() {
        Rig capped = new Rig(Rig.TERMS.withMaxHold(Duration.ofSeconds(45)));
        Holder capping = capped.holder("a");
        capped.watched(capping);
        capped.advanceSeconds(200);
        assertThat(capped.store.times()).containsExactly(10_000L, 20_000L, 30_000L, 40_000L);
        assertThat(capping.news()).endsWith("70000 lost EXPIRED");
    }

    /** A closed keeper sends nothing more; its leases expire, and the reason is the close. */
    @Test
    void close_whatIsKeptRunsOut() {
        Holder explicit = rig.holder("b");
        KeptLease ended = rig.watched(rig.holder("c"));
        rig.watched(holder);
        rig.unwatched(explicit, Duration.ofSeconds(20));
        rig.keeper.close();
        rig.keeper.close();
        rig.keeper.verifyAll();
        assertThat(ended.end()).isTrue();
        rig.advanceSeconds(60);
        assertThat(rig.store.requests()).isEmpty();
        assertThat(holder.news()).containsExactly("30000 lost CLOSED");
        assertThat(explicit.news()).containsExactly("20000 lost EXPIRED");
        rig.assertNothingLeft();
    }

    /**
     * With a stopped timer there are no notifications, but a lease still knows when it has expired, and nothing throws.
     */
    @Test
    void timerStopped_validityStillHolds() {
        rig.timer.stop();
        KeptLease lease = rig.watched(holder);
        assertThat(lease.isValid()).isTrue();
        rig.advanceSeconds(30);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.end()).isTrue();
        assertThat(rig.keeper.size()).isZero();
    }
}
