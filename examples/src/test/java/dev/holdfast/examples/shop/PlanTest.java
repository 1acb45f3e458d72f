package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    /** A process reads the same plan that its parent has. */
    @Test
    void parse_readsWhatWasWritten() {
        assertThat(Plan.parse(Plan.FULL.toArguments())).isEqualTo(Plan.FULL);
    }

    /** So does one of a flash sale, which has no incidents. */
    @Test
    void parse_flash() {
        Plan plan = Plan.FLASH.inSegments(20);
        assertThat(Plan.parse(plan.toArguments())).isEqualTo(plan);
        assertThat(plan.segmentStock()).isEqualTo(50);
        assertThat(plan.accidentItem()).isZero();
        assertThat(plan.longSaleItem()).isZero();
    }

    /** So does one on servers with replicas, whose only incident is the kill of a master. */
    @Test
    void parse_topology() {
        Plan plan = Plan.FULL.on(Topology.SENTINEL);
        assertThat(Plan.parse(plan.toArguments())).isEqualTo(plan);
        assertThat(plan.failoverItem()).isEqualTo(500);
        assertThat(plan.accidentItem()).isZero();
        assertThat(plan.longSaleItem()).isZero();
    }

    /** Segments of different sizes are refused: an item would be sold under no lock. */
    @Test
    void segments_notOfEqualSize() {
        assertThatIllegalArgumentException().isThrownBy(() -> Plan.FLASH.inSegments(3));
    }

    /** The command line asks for one run, or for two that are compared; anything else is refused. */
    @Test
    void plans_ofArguments() {
        assertThat(ShopDemo.plans(List.of())).containsExactly(Plan.FULL);
        assertThat(ShopDemo.plans(List.of("--without-lock"))).containsExactly(Plan.FULL.withoutLock());
        assertThat(ShopDemo.plans(List.of("--segments", "20"))).containsExactly(Plan.FLASH, Plan.FLASH.inSegments(20));
        assertThat(ShopDemo.plans(List.of("--topology", "cluster"))).containsExactly(Plan.FULL.on(Topology.CLUSTER));
        assertThat(ShopDemo.plans(List.of("--topology", "sentinel"))).containsExactly(Plan.FULL.on(Topology.SENTINEL));
        assertThat(ShopDemo.plans(List.of("--topology", "standalone"))).isEmpty();
        assertThat(ShopDemo.plans(List.of("--topology"))).isEmpty();
        assertThat(ShopDemo.plans(List.of("--segments"))).isEmpty();
        assertThat(ShopDemo.plans(List.of("--segments", "3"))).isEmpty();
        assertThat(ShopDemo.plans(List.of("--segments", "1"))).isEmpty();
        assertThat(ShopDemo.plans(List.of("--segments", "x"))).isEmpty();
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
