package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.shop.Outcome.Accident;
import dev.holdfast.examples.shop.Outcome.End;
import dev.holdfast.examples.shop.Outcome.LongSale;
import dev.holdfast.examples.shop.Outcome.SellerOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictTest {
    private static final Plan PLAN =
            new Plan(true, 2, 1, 2, Duration.ofSeconds(1), Duration.ofMillis(1), 0, Topology.STANDALONE);
    private static final SellerOutcome FINISHED = seller(End.FINISHED, 0, "");
    private static final Accident ACCIDENT = new Accident(1, Optional.of(Duration.ofSeconds(1)));
    private static final LongSale LONG_SALE = new LongSale(2, Duration.ofSeconds(3), 8, true);
    private static final Ledger EACH_ONCE = Ledger.parse(List.of("1 2", "2 1"));
    private static final Ledger ONE_TWICE = Ledger.parse(List.of("1 2", "2 2", "2 1"));
    private static final Outcome GOOD = new Outcome(
            PLAN,
            EACH_ONCE,
            0,
            Duration.ofSeconds(9),
            List.of(seller(End.KILLED, 0, ""), FINISHED),
            Optional.of(ACCIDENT),
            Optional.of(LONG_SALE),
            Optional.empty());

    /**
     * There is no complaint when each item was sold once, the killed holder's lock became free in time, and the long
     * sale kept the lock.
     */
    @Test
    void on_goodRun() {
        assertThat(Verdict.on(GOOD).isGood()).isTrue();
    }

    /** Each unmet expectation gives exactly one complaint. */
    @ParameterizedTest
    @MethodSource("flaws")
    void on_flaw(Outcome flawed, String complaint) {
        assertThat(Verdict.on(flawed).complaints()).singleElement().asString().contains(complaint);
    }

    static Stream<Arguments> flaws() {
        return Stream.of(
                flaw("1 items were sold of 2", it -> with(it, Ledger.parse(List.of("1 2")), 0)),
                flaw("3 items are left", it -> with(it, EACH_ONCE, 3)),
                flaw("1 sales were of an item", it -> with(it, Ledger.parse(List.of("1 2", "2 2")), 0)),
                flaw("failed: out of memory", it -> with(it, seller(End.FAILED, 0, "out of memory"))),
                flaw("lost 1 leases", it -> with(it, seller(End.FINISHED, 1, ""))),
                flaw("no process was killed", it -> with(it, Optional.empty(), it.longSale())),
                flaw("no process got the lock", it -> with(it, stayed(Optional.empty()), it.longSale())),
                flaw("stayed for 2.10 s", it -> with(it, stayed(Optional.of(Duration.ofMillis(2_100))), it.longSale())),
                flaw("no sale outlived", it -> with(it, it.accident(), Optional.empty())),
                flaw("shorter than planned", it -> with(it, longSale(Duration.ofSeconds(2), 8, true))),
                flaw("never renewed", it -> with(it, longSale(Duration.ofSeconds(3), 0, true))),
                flaw("lost its lock", it -> with(it, longSale(Duration.ofSeconds(3), 8, false))));
    }

    /** Without the lock, a run that sold no item twice shows nothing. */
    @Test
    void on_withoutLock() {
        assertThat(Verdict.on(withoutLock(ONE_TWICE)).isGood()).isTrue();
        assertThat(Verdict.on(withoutLock(EACH_ONCE)).complaints())
                .singleElement()
                .asString()
                .contains("shows nothing");
    }

    private static Arguments flaw(String complaint, UnaryOperator<Outcome> change) {
        return Arguments.of(change.apply(GOOD), complaint);
    }

    private static SellerOutcome seller(End end, long lost, String failure) {
        return new SellerOutcome(2, Waits.of(List.of()), 0, lost, end, failure);
    }

    private static Optional<Accident> stayed(Optional<Duration> stay) {
        return Optional.of(new Accident(1, stay));
    }

    private static Optional<LongSale> longSale(Duration held, long renewals, boolean kept) {
        return Optional.of(new LongSale(2, held, renewals, kept));
    }

    private static Outcome with(Outcome it, Ledger ledger, int left) {
        return new Outcome(
                it.plan(), ledger, left, it.took(), it.sellers(), it.accident(), it.longSale(), it.failover());
    }

    private static Outcome with(Outcome it, SellerOutcome seller) {
        return new Outcome(
                it.plan(),
                it.ledger(),
                it.left(),
                it.took(),
                List.of(seller),
                it.accident(),
                it.longSale(),
                it.failover());
    }

    private static Outcome with(Outcome it, Optional<LongSale> longSale) {
        return with(it, it.accident(), longSale);
    }

    private static Outcome with(Outcome it, Optional<Accident> accident, Optional<LongSale> longSale) {
        return new Outcome(
                it.plan(), it.ledger(), it.left(), it.took(), it.sellers(), accident, longSale, it.failover());
    }

    /** A hold that is lost with the lock's master is no flaw, but a run in which the master was not killed shows nothing. */
    @Test
    void on_failover() {
        Outcome lost = failingOver(Optional.of(new Outcome.Failover(Duration.ofSeconds(2))));
        assertThat(Verdict.on(lost).isGood()).isTrue();
        assertThat(Verdict.on(failingOver(Optional.empty())).complaints())
                .singleElement()
                .asString()
                .contains("not killed");
    }

    private static Outcome failingOver(Optional<Outcome.Failover> failover) {
        return new Outcome(
                PLAN.on(Topology.CLUSTER),
                EACH_ONCE,
                0,
                GOOD.took(),
                List.of(seller(End.FINISHED, 1, "")),
                Optional.empty(),
                Optional.empty(),
                failover);
    }

    private static Outcome withoutLock(Ledger ledger) {
        return new Outcome(
                PLAN.withoutLock(),
                ledger,
                0,
                GOOD.took(),
                List.of(FINISHED),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
