package dev.holdfast;

import dev.holdfast.internal.session.AdvancedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A clock of clients that a test sets forward; otherwise it runs as the system's does. It is the time of the clients alone:
 * none passes in Redis, which still has what they have lost by it.
 */
public final class TurnedClock implements AdvancedTime {
    /** The lease of a watched hold of a client that has the default settings. */
    public static final Duration WATCHDOG = Duration.ofSeconds(30);

    /** The time after which such a hold is renewed. */
    public static final Duration RENEWAL = WATCHDOG.dividedBy(3);

    private final AtomicLong aheadNanos = new AtomicLong();
    private final List<Runnable> actions = new CopyOnWriteArrayList<>();

    /** Gives the client that will be built this clock. {@return the builder} */
    public HoldfastBuilder turns(HoldfastBuilder client) {
        return client.addListener(this);
    }

    /** Sets the clock forward. What falls due is done shortly after, on the threads of the clients. */
    public void advance(Duration step) {
        aheadNanos.addAndGet(step.toNanos());
        actions.forEach(Runnable::run);
    }

    /** Sets the clock forward to the next renewal of this client's only watched hold, and awaits it; so often. */
    public void renew(Holdfast client, int times) {
        for (int i = 0; i < times; i++) {
            long before = client.stats().renewals();
            advance(RENEWAL);
            Patience.await().until(() -> client.stats().renewals() > before);
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime() + aheadNanos.get();
    }

    @Override
    public void afterAdvance(Runnable action) {
        actions.add(action);
    }

    @Override
    public void addClient(Supplier<HoldfastStats> client) {}
}
