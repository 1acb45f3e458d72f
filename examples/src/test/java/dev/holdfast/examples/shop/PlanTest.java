package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanTest {
    /** A process that sells has the plan its parent has. */
    @Test
    void parse_readsWhatWasWritten() {
        assertThat(Plan.parse(Plan.FULL.toArguments())).isEqualTo(Plan.FULL);
    }

    /** Without the lock nobody is killed, and no sale is long: no item has the number on which that happens. */
    @Test
    void withoutLock_hasNoIncidents() {
        Plan plan = Plan.FULL.withoutLock();
        assertThat(plan.locked()).isFalse();
        assertThat(plan.accidentItem()).isZero();
        assertThat(plan.longSaleItem()).isZero();
    }
}
