package dev.holdfast.benchmarks.worker;

import java.io.Serializable;

/**
 * What only some tasks know of; 0 where it does not apply.
 *
 * @param first when the first of something began, on the machine's monotonic clock
 * @param last when the last of something was over, likewise
 * @param failures calls that ended with an exception
 * @param why the first such exception, or nothing
 * @param heapBytes how much the heap grew, by what the task holds
 * @param timers pending timers
 */
public record Marks(long first, long last, long failures, String why, double heapBytes, long timers)
        implements Serializable {
    /** Nothing of all that. */
    public static final Marks NONE = new Marks(0, 0, 0, "", 0, 0);
}
