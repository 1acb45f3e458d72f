package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many locks that are held very briefly. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class ShortLocksTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 500;

    /** All rounds take several times the watchdog timeout. */
    private static final Duration PAUSE = Duration.ofMillis(300);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Renewal ends with its hold: locks that are released in time are never renewed, then or later. */
    @Test
    void fullSpeed_nothingIsRenewed() {
        List<TurnedClock> clocks =
                Stream.generate(TurnedClock::new).limit(THREADS).toList();
        List<Holdfast> clients = clocks.stream()
                .map(clock -> faulty.client(builder -> clock.turns(builder).watchdogTimeout(TurnedClock.WATCHDOG)))
                .toList();
        IntStream.range(0, THREADS)
                .mapToObj(i -> elsewhere(() -> {
                    DistributedLock lock = clients.get(i).getLock("orders:" + i);
                    for (int round = 0; round < ROUNDS; round++) {
                        lock.lock();
                        lock.unlock();
                        clocks.get(i).advance(PAUSE);
                    }
                    return null;
                }))
                .toList()
                .forEach(FaultyRedis::get);
        clocks.forEach(clock -> clock.advance(TurnedClock.WATCHDOG));

        for (Holdfast client : clients) {
            eventually(() -> assertThat(Inside.residue(client)).isEmpty());
            assertThat(client.stats().acquired()).isEqualTo(ROUNDS);
            assertThat(client.stats().renewals()).isZero();
        }
        // Two commands for each round, and no others.
        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(2L * THREADS * ROUNDS);
    }
}
