package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When and how often the holder of a lease is warned that its renewal is late, and which holders are not. */
@Tag("pure")
class LeaseAtRiskTest {
    private final Rig rig = new Rig();
    private final Holder holder = rig.holder("a");

    /** The warning comes once until the next confirmation, counted from the first request without a reply. */
    @Test
    void atRisk_oncePerConfirmation() {
        KeptLease lease = rig.watched(holder);
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        rig.advanceSeconds(25);
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left");
        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
        rig.advanceSeconds(25);
        assertThat(holder.news()).containsExactly("20000 at risk, 10000 left", "45000 at risk, 10000 left");
    }

    /**
     * The warning comes after half of the time that was left when the renewal was sent; a reply before that, late or
     * not, prevents it.
     */
    @Test
    void atRisk_onlyHalfWay() {
        rig.watched(holder);
        rig.store.script = ScriptedStore.later();
        rig.advance(Duration.ofMillis(19_990));
        assertThat(holder.news()).isEmpty();
        rig.store.last().answer(RenewalOutcome.RENEWED);
        assertThat(holder.news()).containsExactly("19990 renewed");
        rig.advanceSeconds(8);
        assertThat(holder.news()).hasSize(1);
    }

    /** A lease that is not renewed is never at risk, not even while the store does not answer its verification. */
    @Test
    void atRisk_neverUnwatched() {
        rig.unwatched(holder, Duration.ofSeconds(30));
        rig.store.script = ScriptedStore.always(RenewalOutcome.UNKNOWN);
        rig.keeper.verifyAll();
        rig.advanceSeconds(40);
        assertThat(holder.news()).containsExactly("30000 lost EXPIRED");
    }
}
