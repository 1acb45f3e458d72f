package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The small shop of {@link ShopRunTest}, on servers with replicas. */
@Tag("slow")
class ShopFailoverTest {
    /** The master of the lock is killed: the sale goes on at its replica, and no item is sold twice. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STANDALONE")
    void run_masterIsKilled(Topology topology) throws InterruptedException {
        Outcome outcome = new ShopRun(ShopRunTest.SMALL.on(topology), line -> {}).run();

        assertThat(Verdict.on(outcome).complaints()).isEmpty();
        assertThat(outcome.ledger().oversold()).isZero();
        assertThat(outcome.failover()).get().satisfies(failover -> assertThat(failover.stoodStill())
                .as("no failure is noticed earlier")
                .isGreaterThan(Duration.ofMillis(500)));
    }
}
