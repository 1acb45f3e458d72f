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
 * @param undone how many members of a set were acquired and released again within the window, since another one was
 *     busy
 * @param restarts how many attempts for a set released all they had and started from none, likewise
 */
public record Marks(
        long at, long done, long failed, String why, long heapBytes, long timers, long undone, long restarts)
        implements Serializable {
    Marks(long at, long done, long failed, String why, long heapBytes, long timers) {
        this(at, done, failed, why, heapBytes, timers, 0, 0);
    }

    /** {@return the same with another time} */
    Marks at(long other) {
        return new Marks(other, done, failed, why, heapBytes, timers, undone, restarts);
    }

    /** {@return the same with the number of calls that succeeded} */
    Marks done(long other) {
        return new Marks(at, other, failed, why, heapBytes, timers, undone, restarts);
    }

    /** {@return the same with the number of calls that failed} */
    Marks failed(long other) {
        return new Marks(at, done, other, why, heapBytes, timers, undone, restarts);
    }

    /** {@return the same with the growth of the heap} */
    Marks heap(long other) {
        return new Marks(at, done, failed, why, other, timers, undone, restarts);
    }

    /** {@return the same with what was undone} */
    Marks undone(long members, long attempts) {
        return new Marks(at, done, failed, why, heapBytes, timers, members, attempts);
    }

    /** {@return the marks of contenders} */
    static Marks of(long timers, long failed) {
        return new Marks(0, 0, failed, "", 0, timers);
    }
}
