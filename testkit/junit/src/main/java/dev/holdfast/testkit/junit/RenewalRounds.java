package dev.holdfast.testkit.junit;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import dev.holdfast.TestClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Advances a clock from one renewal of the clients' leases to the next. The renewals of a round are to be awaited before the
 * next one: otherwise three rounds within a tick of the clients' timers would end leases that Redis would have renewed.
 */
final class RenewalRounds {
    /** How long a round is awaited of which replies are missing: a client is cut off, or has explicit leases. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(1);

    private final TestClock clock;
    private final Duration interval;

    /** The clients as the last round began. Guarded by this. */
    private final Map<Holdfast, HoldfastStats> begun = new HashMap<>();

    /** @param watchdogTimeout that of the clients, which renew a lease after a third of it */
    RenewalRounds(TestClock clock, Duration watchdogTimeout) {
        this.clock = clock;
        this.interval = watchdogTimeout.dividedBy(3);
    }

    /** Advances the clock to the time at which a lease that was just acquired is renewed. */
    synchronized void begin(List<Holdfast> clients) {
        begun.clear();
        clients.forEach(client -> begun.put(client, client.stats()));
        clock.advance(interval);
    }

    /** Waits until the leases of the last round are renewed, lost or released, for a second at most. */
    synchronized void await() {
        long start = System.nanoTime();
        while (!begun.entrySet().stream()
                        .allMatch(client ->
                                isOver(client.getValue(), client.getKey().stats()))
                && System.nanoTime() - start < PATIENCE.toNanos()) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** A release counts if it cannot be that of a hold which was acquired since. */
    private static boolean isOver(HoldfastStats before, HoldfastStats now) {
        long replies = now.renewals() - before.renewals() + now.lost() - before.lost();
        long acquired = now.acquired() - before.acquired();
        long released = now.released() - before.released();
        return now.holds() == 0 || replies + Math.max(0, released - acquired) >= before.holds();
    }
}
