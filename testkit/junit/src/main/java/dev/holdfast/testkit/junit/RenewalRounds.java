package dev.holdfast.testkit.junit;

import dev.holdfast.HoldfastStats;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Advances a clock from one renewal of its clients' leases to the next, and awaits their replies: so the holders know what
 * has become of their leases, and three rounds within a tick of the clients' timers end no lease that Redis would renew.
 */
final class RenewalRounds {
    /** How long a round is awaited of which replies are missing: a client is cut off, or has explicit leases. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(1);

    private final TestClock clock;
    private final Duration interval;

    /** @param watchdogTimeout that of the clients, which renew a lease after a third of it */
    RenewalRounds(TestClock clock, Duration watchdogTimeout) {
        this.clock = clock;
        this.interval = watchdogTimeout.dividedBy(3);
    }

    /**
     * Advances the clock to the time at which a lease that was just acquired is renewed, and waits until all leases are
     * renewed, lost or released, for three seconds at most.
     */
    synchronized void play() {
        Map<Supplier<HoldfastStats>, HoldfastStats> before =
                clock.clients().stream().collect(Collectors.toMap(client -> client, Supplier::get));
        clock.advance(interval);
        long start = System.nanoTime();
        while (!before.entrySet().stream()
                        .allMatch(client ->
                                isOver(client.getValue(), client.getKey().get()))
                && System.nanoTime() - start < TIMEOUT.toNanos()) {
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
