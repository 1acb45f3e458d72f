package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;

/**
 * A keeper with a manual clock: watchdog timeout 30 s, so renewals every 10 s; no drift unless requested. The wall
 * clock follows the monotonic one until a test moves it.
 */
final class Rig {
    static final LeaseTerms TERMS = LeaseTerms.of(Duration.ofSeconds(30)).withDriftAllowance(Duration.ZERO);
    static final long WATCHDOG = Duration.ofSeconds(30).toNanos();

    final CountingTimer timer = new CountingTimer();
    final ManualTimer clock = timer.manual;
    final Deadlines deadlines = new Deadlines(timer, clock::nanoTime, Deadlines.DEFAULT_TICK);
    final ScriptedStore store = new ScriptedStore(this);
    final LeaseKeeper<Holder> keeper;

    /** How far the wall clock is ahead. */
    long wallAheadMillis;

    Rig() {
        this(TERMS);
    }

    Rig(LeaseTerms terms) {
        keeper = new LeaseKeeper<>(deadlines, () -> millis() + wallAheadMillis, terms, store);
    }

    Holder holder(String name) {
        return new Holder(name, this);
    }

    /** A lease granted just now, for the watchdog timeout. */
    KeptLease watched(Holder holder) {
        return keeper.keep(holder, clock.nanoTime(), WATCHDOG, true);
    }

    /** A lease granted just now, with a length of its own. */
    KeptLease unwatched(Holder holder, Duration lease) {
        return keeper.keep(holder, clock.nanoTime(), lease.toNanos(), false);
    }

    void advance(Duration step) {
        clock.advance(step);
    }

    void advanceSeconds(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }

    /** Asserts that no lease is kept, and the timer has at most one last tick to run. */
    void assertNothingLeft() {
        assertThat(keeper.size()).isZero();
        assertThat(deadlines.pending()).isZero();
        assertThat(clock.pending()).isLessThanOrEqualTo(1);
    }

    long millis() {
        return clock.nanoTime() / 1_000_000;
    }
}
