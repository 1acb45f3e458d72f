package dev.holdfast.internal.session;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that may be set forward; see {@link dev.holdfast.TestClock}.
 *
 * @param nanoTime the clock
 * @param afterAdvance adds an action that runs after each advance
 */
public record AdvancedTime(LongSupplier nanoTime, Consumer<Runnable> afterAdvance) {}
