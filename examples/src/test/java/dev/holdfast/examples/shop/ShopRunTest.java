package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.shop.Outcome.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small shop: real processes, a real kill, and a sale of three leases. */
@Tag("slow")
class ShopRunTest {
    static final Plan SMALL =
            new Plan(true, 3, 3, 60, Plan.FULL.watchdogTimeout(), Duration.ofMillis(4), 0, Topology.STANDALONE);

    /** Under the lock every item is sold once, in spite of the kill and of the long sale. */
    @Test
    void run_underTheLock() throws InterruptedException {
        Outcome outcome = new ShopRun(SMALL, line -> {}).run();

        assertThat(Verdict.on(outcome).complaints()).isEmpty();
        assertThat(outcome.ledger().sold()).isEqualTo(60);
        assertThat(outcome.sellers()).extracting(Outcome.SellerOutcome::end).containsOnlyOnce(End.KILLED);
        assertThat(outcome.waits().count())
                .as("a turn for each sale, and further turns without a sale")
                .isGreaterThan(60);
        assertThat(outcome.longSale()).get().satisfies(sale -> {
            assertThat(sale.held()).isGreaterThan(SMALL.watchdogTimeout().multipliedBy(3));
            assertThat(sale.renewals()).isGreaterThan(2);
        });
    }

    /** Under segments that have a lock each, every item is sold once as well, and each process sells from several. */
    @Test
    void run_inSegments() throws InterruptedException {
        List<String> output = new ArrayList<>();
        Plan plan = new Plan(true, 3, 3, 60, SMALL.watchdogTimeout(), Duration.ofMillis(4), 6, Topology.STANDALONE);
        Outcome outcome = new ShopRun(plan, output::add).run();

        assertThat(Verdict.on(outcome).complaints()).isEmpty();
        assertThat(outcome.ledger().entries())
                .extracting(Ledger.Entry::item)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 60).boxed().toList());
        assertThat(outcome.accident()).isEmpty();
        assertThat(outcome.longSale()).isEmpty();
        assertThat(output).first().asString().contains("under one of 6 locks");
    }

    /** The lock is the cause: the same shop without it sells items twice. */
    @Test
    void run_withoutTheLock() throws InterruptedException {
        List<String> output = new ArrayList<>();
        Outcome outcome = new ShopRun(SMALL.withoutLock(), output::add).run();

        assertThat(Verdict.on(outcome).complaints()).isEmpty();
        assertThat(outcome.ledger().oversold()).isPositive();
        assertThat(outcome.accident()).isEmpty();
        assertThat(outcome.longSale()).isEmpty();
        assertThat(output).first().asString().contains("without a lock");
    }
}
