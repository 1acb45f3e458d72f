package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease that is released: there are no more notifications or renewals, whatever was in flight. */
@Tag("pure")
class LeaseEndTest {
    private final Rig rig = new Rig();
    private final Holder holder = rig.holder("a");

    /** A released lease is not lost, whatever happens later; releasing it twice has no effect. */
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

    /** The reply to a renewal that was in flight at the release, whatever it is, causes no notification. */
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
        assertThat(rig.store.requests()).hasSize(3);
    }

    /** An event for an ended lease schedules nothing: no renewal outlives its lease, in any order. */
    @Test
    void end_beforeWhatWouldSchedule() {
        KeptLease lease = rig.watched(holder);
        lease.end();
        lease.watch(false);
        lease.watch(true);
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        rig.assertNothingLeft();
        rig.advanceSeconds(60);
        assertThat(rig.store.requests()).isEmpty();
    }

    /** A lease that ends within the sweep it is due in is not renewed. */
    @Test
    void end_betweenDueAndRenewal() {
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
        assertThat(rig.store.requests()).singleElement().satisfies(request -> assertThat(request.batch())
                .containsExactly(ending, ending));
    }
}
