package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which the faults of a round are injected. */
class NemesisTest {
    private final List<String> events = new ArrayList<>();

    /** The witness is notified of each fault before it has any effect, and after it has ended. */
    @Test
    void carryOut_isWitnessed() throws InterruptedException {
        try (RedisServer server = RedisServer.builder().persistent().start();
                FaultProxy link = FaultProxy.inFrontOf(server)) {
            server.command("SET", "stock", "1");
            nemesis(server, link).carryOut(List.of(fault(1, FaultKind.KEY_DELETED), fault(2, FaultKind.SERVER_KILLED)));
        }

        assertThat(events)
                .containsExactly("1 begins, keys [stock]", "1 ended, keys []", "2 begins, keys []", "2 ended, keys []");
    }

    /**
     * A fault during another one is notified in between, whichever ends first, and later faults wait for the end of
     * both.
     */
    @Test
    void carryOut_twoAtOnce() throws InterruptedException {
        Duration shortly = Duration.ofMillis(10);
        Duration longer = Duration.ofMillis(100);
        try (RedisServer server = RedisServer.builder().persistent().start();
                FaultProxy link = FaultProxy.inFrontOf(server)) {
            nemesis(server, link)
                    .carryOut(List.of(
                            new FaultPlan(1, FaultKind.BLACK_HOLE, Duration.ZERO, false, longer, 0, 0),
                            new FaultPlan(2, FaultKind.KEY_DELETED, shortly, true, Duration.ZERO, 0, 0),
                            new FaultPlan(3, FaultKind.BLACK_HOLE, Duration.ZERO, false, shortly, 0, 0),
                            new FaultPlan(4, FaultKind.SCRIPTS_FLUSHED, Duration.ZERO, true, longer, 0, 0)));
        }

        assertThat(events.stream().map(line -> line.substring(0, line.indexOf(','))))
                .containsExactly(
                        "1 begins", "2 begins", "2 ended", "1 ended", "3 begins", "4 begins", "3 ended", "4 ended");
    }

    private Nemesis nemesis(RedisServer server, FaultProxy link) {
        return new Nemesis(
                new Site(new SingleServer(server), List.of(link), List.of(), List.of("stock")),
                witness(server),
                new SleptTime());
    }

    /** Passes while it is slept through, and at no other time: whatever the witness does takes none. */
    private static final class SleptTime implements Time {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(long length) {
            nanos += Math.max(0, length);
        }
    }

    private Witness witness(RedisServer server) {
        return new Witness() {
            @Override
            public void begins(FaultPlan fault) {
                events.add(fault.number() + " begins, keys " + server.keys());
            }

            @Override
            public void ended(FaultPlan fault) {
                events.add(fault.number() + " ended, keys " + server.keys());
            }
        };
    }

    private static FaultPlan fault(int number, FaultKind kind) {
        return new FaultPlan(number, kind, Duration.ZERO, false, Duration.ofMillis(10), 0, 0);
    }
}
