package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanTest {
    /** A process reads the same plan that its parent has. */
    @Test
    void parse_readsWhatWasWritten() {
        assertThat(Plan.parse(Plan.FULL.toArguments())).isEqualTo(Plan.FULL);
    }

    /** Without the lock no process is killed, and no sale is long: no item has the number that triggers it. */
    @Test
    void withoutLock_hasNoIncidents() {
        Plan plan = Plan.FULL.withoutLock();
        assertThat(plan.locked()).isFalse();
        assertThat(plan.accidentItem()).isZero();
        assertThat(plan.longSaleItem()).isZero();
    }
}
