package dev.holdfast.fault.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.Turn;
import dev.holdfast.testkit.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands that handoffs cost, and the ones they save. */
@Tag("fault")
final class HandoffCostTest {
    private static final int OWNERS = 100;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(redis.server());

    /** Behind the proxy; closed by the test, before the proxy is. */
    @AutoClose
    private final Holdfast client = redis.connect(builder -> builder.redisUri(proxy.uri()));

    private final DistributedLock lock = client.getLock(redis.name());

    /** No handoff takes more than a command; no key is deleted and no message published before the last owner releases. */
    @Test
    void chain_oneCommandEachAtMost_keyStays() {
        Lease first = lock.acquire();
        Turn turn = Turn.begin();
        List<CompletableFuture<?>> rounds = new ArrayList<>(List.of(round()));
        Patience.await()
                .until(() -> proxy.commands("EVALSHA") == 3
                        && !Inside.residue(client).contains("calls in flight"));
        while (rounds.size() < OWNERS) {
            rounds.add(round());
        }
        proxy.resetCounters();
        long deleted = calls("del");
        long published = calls("publish");

        first.close();
        rounds.forEach(Patience::get);
        turn.assumeNotOverUnless(calls("del") - deleted == 1);

        assertThat(proxy.commands("EVALSHA")).isBetween(2L, OWNERS + 1L);
        assertThat(calls("del") - deleted).isEqualTo(1);
        assertThat(calls("publish") - published).isEqualTo(1);
    }

    private CompletableFuture<?> round() {
        return lock.acquireAsync().thenCompose(Lease::releaseAsync);
    }

    /** {@return how often the server has executed the command, including within scripts} */
    private long calls(String command) {
        String stats = String.valueOf(redis.server().command("INFO", "commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
