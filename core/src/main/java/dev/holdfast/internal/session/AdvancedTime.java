package dev.holdfast.internal.session;

import dev.holdfast.HoldfastStats;
import dev.holdfast.LockListener;
import java.util.function.Supplier;

/**
 * The time of clients under test: a monotonic clock that may be set forward. The test kit implements it by a
 * proxy, since this package is not exported, and adds it to a builder among the listeners: it is to receive no events, but the
 * public API needs no method for it so.
 */
public interface AdvancedTime extends LockListener {
    long nanoTime();

    /** Adds an action to run after each advance. */
    void afterAdvance(Runnable action);

    /** Called once for each client that has this time. */
    void addClient(Supplier<HoldfastStats> client);
}
