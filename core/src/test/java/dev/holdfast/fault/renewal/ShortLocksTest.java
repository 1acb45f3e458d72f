package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many locks that are held very briefly. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class ShortLocksTest {
    /** Longer than two thirds of the watchdog timeout: a renewal that was not cancelled would be due by its end. */
    private static final Duration LENGTH = Duration.ofSeconds(2);

    private static final Duration WATCHDOG = Duration.ofMillis(1500);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Renewal ends with its hold: locks that are released in time are never renewed, then or later. */
    @Test
    void fullSpeed_nothingIsRenewed() {
        Holdfast client =
                faulty.client(builder -> builder.watchdogTimeout(WATCHDOG).commandTimeout(WATCHDOG.dividedBy(2)));
        long start = System.nanoTime();
        List<CompletableFuture<Integer>> threads = IntStream.range(0, 4)
                .mapToObj(i -> elsewhere(() -> {
                    DistributedLock lock = client.getLock("orders:" + i);
                    int rounds = 0;
                    for (; since(start).compareTo(LENGTH) < 0; rounds++) {
                        lock.lock();
                        lock.unlock();
                    }
                    return rounds;
                }))
                .toList();

        int rounds = threads.stream().mapToInt(FaultyRedis::get).sum();

        assertThat(rounds).isGreaterThan(100);
        assertThat(client.stats().acquired()).isEqualTo(rounds);
        eventually(() -> since(start).compareTo(LENGTH.plus(WATCHDOG)) > 0);
        assertThat(client.stats().renewals()).isZero();
        assertThat(Inside.residue(client)).isEmpty();
        // Two commands for each round, and no others.
        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(2L * rounds);
    }
}
