package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A clock for the tests of an application: it runs as the system's does, and {@link #advance} moves it on at once. So a
 * test need not wait for a renewal or for the end of a lease. Set by {@link HoldfastBuilder#clock}; several clients may
 * share one.
 *
 * <p>It is the time of the client alone. In Redis, where each lock expires as well, no time passes: after an advance
 * beyond the end of a lease its client has lost it, and Redis still has it. To a client, an advance looks as if its
 * process had been suspended: the renewals that fell due during it are sent at once, except for leases that have run out,
 * and a command without a reply may time out.
 *
 * <p>Safe for use by several threads. Refers to its clients, also when they are closed.
 */
public final class TestClock {
    private final AtomicLong aheadNanos = new AtomicLong();
    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private final List<Supplier<HoldfastStats>> clients = new CopyOnWriteArrayList<>();

    /** A clock that shows the system's time until it is advanced. */
    public TestClock() {}

    /**
     * Moves the clock on. What falls due is done shortly after, on the threads of the client.
     *
     * @param step zero for no change
     * @throws IllegalArgumentException if it is negative
     */
    public void advance(Duration step) {
        Objects.requireNonNull(step, "step must not be null");
        if (step.isNegative()) {
            throw new IllegalArgumentException("step must not be negative, was " + step + ": time does not run back");
        }
        aheadNanos.addAndGet(step.toNanos());
        actions.forEach(Runnable::run);
    }

    /** {@return the statistics of each client that has this clock, in the order in which they were built, closed ones too} */
    public List<Supplier<HoldfastStats>> clients() {
        return List.copyOf(clients);
    }

    /** Adds a client that has this clock. */
    void add(Supplier<HoldfastStats> client) {
        clients.add(client);
    }

    long nanoTime() {
        return System.nanoTime() + aheadNanos.get();
    }

    /** Adds an action that runs after each advance, on the thread that advances the clock. */
    void afterAdvance(Runnable action) {
        actions.add(action);
    }
}
