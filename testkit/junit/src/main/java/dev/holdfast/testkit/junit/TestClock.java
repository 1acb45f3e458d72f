package dev.holdfast.testkit.junit;

import dev.holdfast.HoldfastBuilder;
import dev.holdfast.HoldfastStats;
import dev.holdfast.internal.session.AdvancedTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A clock of clients: it runs as the system's does, and {@link #advance} moves it on at once. So a test need not wait for
 * a renewal or for the end of a lease. The clients of a {@link TestRedis} have one, and {@link #applyTo} gives it to
 * others; several clients may share one.
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
    private final AdvancedTime time = new AdvancedTime() {
        @Override
        public long nanoTime() {
            return System.nanoTime() + aheadNanos.get();
        }

        @Override
        public void afterAdvance(Runnable action) {
            actions.add(action);
        }

        @Override
        public void addClient(Supplier<HoldfastStats> client) {
            clients.add(client);
        }
    };

    /** A clock that shows the system's time until it is advanced. */
    public TestClock() {}

    /**
     * Gives this clock to the client that the builder will build: before {@link HoldfastBuilder#build()}, and if it was given
     * several clocks, the last one counts.
     *
     * @return the builder
     */
    public HoldfastBuilder applyTo(HoldfastBuilder client) {
        return client.addListener(time);
    }

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
    List<Supplier<HoldfastStats>> clients() {
        return List.copyOf(clients);
    }
}
