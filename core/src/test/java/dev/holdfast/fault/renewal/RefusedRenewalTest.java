package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.HoldRenewals;
import dev.holdfast.internal.hold.Holds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis refuses to renew leases: only the leases concerned are lost, with that reason. */
@Tag("fault")
@Tag("slow")
class RefusedRenewalTest {
    /** Long enough that a slow machine loses no lease. */
    private static final Duration WATCHDOG = Duration.ofSeconds(5);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.watchdogTimeout(WATCHDOG)
            .commandTimeout(Duration.ofSeconds(1))
            .redisUri(faulty.user("~*", "&*", "+@all")));

    private final List<Lease> leases = new ArrayList<>();

    /** A forbidden key ends its own lease only, with the reason REFUSED. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void forbiddenKeys_endTheirOwnLeases(int forbidden) {
        acquireAtOnce(60, i -> i % 20 < forbidden);
        int lost = 3 * forbidden;
        List<Lease> allowed =
                leases.stream().filter(lease -> lease.name().startsWith("a:")).toList();

        only("~a:*");

        eventually(() -> assertThat(faulty.events().lost()).hasSize(lost));
        assertThat(faulty.events().lost()).containsOnly(LossReason.REFUSED);
        assertThat(allowed).hasSize(60 - lost).allMatch(Lease::isValid);
        int renewals = faulty.events().renewals();
        eventually(() -> faulty.events().renewals() > renewals + 2 * allowed.size());
        assertThat(faulty.events().lost()).hasSize(lost);
        only("~*");
        closeAll();
    }

    /** A refused hold is renewed apart from the others in the next round, so the search is not repeated. */
    @Test
    void refused_isRememberedByTheNextRound() {
        acquireAtOnce(64, i -> i == 20);
        long before = faulty.proxy().commands("EVALSHA");

        only("~a:*");

        eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.REFUSED));
        long commands = faulty.proxy().commands("EVALSHA") - before;
        // A search is 13 commands; a round without one is 2, and there are no more than 15 rounds in the time of a
        // lease.
        assertThat(commands).isLessThan(13 + 13 + 2 * 15);
        only("~*");
        closeAll();
    }

    /** A refusal that does not depend on the keys does not split the batch. */
    @Test
    void forbiddenCommand_isNotDivided() {
        acquireAtOnce(64, i -> false);
        long before = faulty.proxy().commands("EVALSHA");

        faulty.server().command("ACL", "SETUSER", "app", "-evalsha");

        eventually(() -> assertThat(faulty.events().lost()).hasSize(64).containsOnly(LossReason.REFUSED));
        // A division would be 64 commands and more in each of up to 15 rounds in the time of a lease. Not all leases
        // need
        // be in the same round.
        assertThat(faulty.proxy().commands("EVALSHA") - before).isLessThan(4 * 15);
        faulty.server().command("ACL", "SETUSER", "app", "+evalsha");
        closeAll();
    }

    /** The exception of the release then says that Redis refused, and so does the log. */
    @Test
    void refused_isReported() {
        try (CapturedWarnings captured = new CapturedWarnings()) {
            Lease lease = client.getLock("b:1").acquire();
            only("~a:*");
            eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.REFUSED));
            assertThat(captured.of(HoldRenewals.class))
                    .singleElement()
                    .asString()
                    .contains("b:1", "NOPERM");
            assertThat(captured.of(Holds.class)).last().asString().contains("b:1", "was lost (REFUSED");
            assertThatThrownBy(lease::close)
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContainingAll("b:1", "REFUSED: Redis refused its renewals");
            only("~*");
        }
    }

    /** A right that is restored in time causes no loss. */
    @Test
    void refusedForAWhile_isRenewed() {
        Lease lease = client.getLock("b:1").acquire();
        long before = faulty.proxy().commands("EVALSHA");
        only("~a:*");
        eventually(() -> faulty.proxy().commands("EVALSHA") > before + 1);
        only("~*");

        int renewals = faulty.events().renewals();
        eventually(() -> faulty.events().renewals() > renewals + 2);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ZERO);
        lease.close();
    }

    /** Acquires locks whose leases are due for renewal together. Those of the forbidden ones begin with "b:". */
    private void acquireAtOnce(int locks, IntPredicate forbidden) {
        IntStream.range(0, locks)
                .mapToObj(i ->
                        client.getLock((forbidden.test(i) ? "b:" : "a:") + i).acquireAsync())
                .toList()
                .forEach(acquired -> leases.add(get(acquired)));
    }

    private void only(String keys) {
        faulty.server().command("ACL", "SETUSER", "app", "resetkeys", keys);
    }

    private void closeAll() {
        for (Lease lease : leases) {
            if (lease.isValid()) {
                lease.close();
            } else {
                assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
            }
        }
    }
}
