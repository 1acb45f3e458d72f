package dev.holdfast.benchmarks.worker;

import java.io.Serializable;

/**
 * What only some tasks know of; 0 where it does not apply.
 *
 * @param at when it happened what the task is about, in nanoseconds on the machine's monotonic clock
 * @param done how many calls ended well
 * @param failed how many ended with an exception, or not at all
 * @param why the first such exception, or nothing
 * @param heapBytes how much the heap grew, by what the task holds
 * @param timers pending timers
 */
public record Marks(long at, long done, long failed, String why, long heapBytes, long timers) implements Serializable {
    /** {@return the same at another time} */
    Marks at(long other) {
        return new Marks(other, done, failed, why, heapBytes, timers);
    }

    /** {@return nothing but timers} */
    static Marks ofTimers(long timers) {
        return new Marks(0, 0, 0, "", 0, timers);
    }
}
