package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Event.Started;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.ArrivalSchedule;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Theme;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The recovery times of faults. */
class RecoveriesTest {
    private static final FaultPlan CUT = new FaultPlan(1, FaultKind.CUT_RST, Duration.ZERO, false, Duration.ZERO, 0, 0);
    private static final RoundPlan PLAN = plan(ArrivalSchedule.none());

    private static RoundPlan plan(ArrivalSchedule arrivals) {
        return new RoundPlan(
                1,
                Theme.GENERAL,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Duration.ZERO,
                arrivals,
                List.of("stock", "orders"),
                List.of(),
                List.of(ClientPlan.of(0, Library.HOLDFAST, List.of()), ClientPlan.of(1, Library.HOLDFAST, List.of())),
                List.of(CUT),
                Duration.ZERO,
                0);
    }

    /**
     * Every lock must have been acquired, and the client that was hit must have acquired one; the last of these counts.
     */
    @Test
    void of_slowestOfLocksAndClient() {
        Histories history = cut().grant("client-1", "1", "stock", What.LOCK, 90, 120)
                .grant("client-1", "1", "orders", What.LOCK, 125, 130);
        assertThat(Recoveries.of(PLAN, ended(history).history()))
                .as("the client that was hit has acquired nothing")
                .isEmpty();

        history.grant("client-0.1", "2", "stock", What.LOCK, 140, 150);
        assertThat(Recoveries.of(PLAN, ended(history).history())).containsEntry(CUT, Duration.ofMillis(50));
    }

    /** If the next fault begins before the recovery, there is no time. */
    @Test
    void of_onTheHeels() {
        Histories history = cut().grant("client-0", "1", "stock", What.LOCK, 90, 120)
                .with(new FaultBegan(125_000_000, 2, Fault.CUT_FIN, "client-1"))
                .grant("client-0", "1", "orders", What.LOCK, 126, 130);

        assertThat(Recoveries.of(PLAN, ended(history).history())).isEmpty();
    }

    /** There is none while another fault lasts; one that has ended before does not matter. */
    @Test
    void of_whileAnotherLasts() {
        Histories recovered = cut().grant("client-0", "1", "stock", What.LOCK, 90, 120)
                .grant("client-0", "1", "orders", What.LOCK, 126, 130)
                .with(new FaultBegan(80_000_000, 2, Fault.CUT_FIN, "client-1"));
        assertThat(Recoveries.of(PLAN, ended(recovered).history())).isEmpty();

        recovered.with(new FaultEnded(98_000_000, 2));
        assertThat(Recoveries.of(PLAN, recovered.history())).containsEntry(CUT, Duration.ofMillis(30));
    }

    /** There is none in a round with a common schedule of arrivals, by which the time would be determined. */
    @Test
    void of_byTheClock() {
        History recovered = ended(cut().grant("client-0", "1", "stock", What.LOCK, 90, 120)
                        .grant("client-0", "1", "orders", What.LOCK, 126, 130))
                .history();
        ArrivalSchedule arrivals = new ArrivalSchedule(Duration.ofSeconds(1), List.of("stock", "orders"));

        assertThat(Recoveries.of(PLAN, recovered)).hasSize(1);
        assertThat(Recoveries.of(plan(arrivals), recovered)).isEmpty();
    }

    private static Histories cut() {
        return new Histories()
                .with(new FaultBegan(95_000_000, 1, Fault.CUT_RST, "client-0"))
                .with(new FaultEnded(100_000_000, 1));
    }

    private static Histories ended(Histories history) {
        return history.with(new Started(1_000_000_000, "the end"));
    }
}
