package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Violation;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** The events that are reported with a violation. */
class ExcerptTest {
    /** All events of its lock around its time, and every fault; not those of other locks, or long before. */
    @Test
    void around_onlyWhatConcernsIt() {
        Histories history = new Histories()
                .grant("client-0", "1", "stock", What.LOCK, 100, 110)
                .grant("client-1", "1", "stock", What.LOCK, 1_000, 1_010)
                .grant("client-1", "1", "orders", What.LOCK, 1_001, 1_011)
                .with(new FaultBegan(1_005_000_000, 1, Fault.CUT_FIN, "client-1"));

        assertThat(new Excerpt(history.history()).around(new Violation(1_010_000_000, "stock", "two holders")))
                .hasSize(3)
                .anySatisfy(
                        line -> assertThat(line).startsWith("  -10.000  Called").contains("stock"))
                .anySatisfy(line -> assertThat(line).startsWith("   -5.000  FaultBegan"))
                .anySatisfy(line -> assertThat(line).startsWith("   +0.000  Returned"));
    }
}
