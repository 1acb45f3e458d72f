package dev.holdfast.benchmarks.worker;

import java.io.Serializable;

/**
 * The results that only some tasks have; 0 where one does not apply.
 *
 * @param at the time of the event that the task measures, in nanoseconds on the machine's monotonic clock
 * @param done how many calls succeeded
 * @param failed how many calls ended with an exception, or not at all
 * @param why the message of the first such exception, or empty
 * @param heapBytes the growth of the heap due to the holds or waits of the task
 * @param timers the number of pending timers
 */
public record Marks(long at, long done, long failed, String why, long heapBytes, long timers) implements Serializable {
    /** {@return the same with another time} */
    Marks at(long other) {
        return new Marks(other, done, failed, why, heapBytes, timers);
    }

    /** {@return marks with the timers only} */
    static Marks ofTimers(long timers) {
        return new Marks(0, 0, 0, "", 0, timers);
    }
}
