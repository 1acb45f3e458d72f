package dev.holdfast.cli;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes on one signal of several that are the same and arrive together: {@code timeout} sends a signal to its process, and
 * at once to the whole process group. A second one that a user means comes later.
 */
final class SignalBursts implements Consumer<SignalName> {
    private static final Duration TOGETHER = Duration.ofMillis(200);

    private final Consumer<SignalName> listener;
    private final LongSupplier nanoTime;

    /** What was passed on last, and when. Guarded by this. */
    private @Nullable SignalName last;

    private long lastAt;

    /** @param nanoTime the clock */
    SignalBursts(Consumer<SignalName> listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    @Override
    public void accept(SignalName signal) {
        if (!repeats(signal)) {
            listener.accept(signal);
        }
    }

    private synchronized boolean repeats(SignalName signal) {
        long now = nanoTime.getAsLong();
        if (signal == last && now - lastAt < TOGETHER.toNanos()) {
            return true;
        }
        last = signal;
        lastAt = now;
        return false;
    }
}
