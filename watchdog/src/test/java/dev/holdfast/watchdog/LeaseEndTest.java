package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A lease that is given back: nobody hears of it any more, and nothing is renewed, whatever was on its way. */
class LeaseEndTest {
    private final Rig rig = new Rig();
    private final Holder holder = rig.holder("a");

    /** A lease that was given back is not lost, whatever comes after; to give it back twice is fine. */
    @Test
    void end_isQuietAndFinal() {
        KeptLease lease = rig.watched(holder);
        assertThat(lease.end()).isTrue();
        assertThat(lease.end()).isTrue();
        assertThat(lease.lose()).isFalse();
        assertThat(lease.isValid()).isFalse();
        rig.advanceSeconds(60);
        assertThat(holder.news()).isEmpty();
        rig.assertNothingLeft();
    }

    /** Whatever the answer to a renewal that was on its way when the lease was given back: nobody hears of it. */
    @Test
    void end_duringRenewal() {
        for (RenewalOutcome outcome : RenewalOutcome.values()) {
            KeptLease lease = rig.watched(holder);
            rig.store.script = ScriptedStore.later();
            rig.advanceSeconds(11);
            assertThat(lease.end()).isTrue();
            rig.store.last().answer(outcome);
            rig.assertNothingLeft();
        }
        assertThat(holder.news()).isEmpty();
        rig.advanceSeconds(60);
        assertThat(rig.store.asked()).hasSize(3);
    }

    /** What arrives for a lease that has ended schedules nothing: no renewal outlives its lease, in whatever order. */
    @Test
    void end_beforeWhatWouldSchedule() {
        KeptLease lease = rig.watched(holder);
        lease.end();
        lease.watch(false);
        lease.watch(true);
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        rig.assertNothingLeft();
        rig.advanceSeconds(60);
        assertThat(rig.store.asked()).isEmpty();
    }

    /** A lease that ends in the very sweep it is due in is not asked about. */
    @Test
    void end_betweenDueAndAsking() {
        KeptLease[] second = new KeptLease[1];
        Holder ending = new Holder("ending", rig) {
            @Override
            public boolean isAbandoned() {
                second[0].end();
                return super.isAbandoned();
            }
        };
        rig.watched(ending);
        rig.watched(ending);
        second[0] = rig.watched(holder);
        rig.advanceSeconds(10);
        assertThat(rig.store.asked()).singleElement().satisfies(asked -> assertThat(asked.batch())
                .containsExactly(ending, ending));
    }
}
