package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.WaitHistogram;
import java.io.Serializable;
import java.util.List;

/**
 * What a worker counted within its window.
 *
 * @param acquisitions of each contender
 * @param waits of all of them together
 * @param window the window, in nanoseconds
 * @param cpu the CPU time of the process within the window, in nanoseconds
 * @param violations times exclusion was seen broken, before and after the window too
 * @param marks times and sizes that only one kind of task knows of
 */
public record Tally(List<Long> acquisitions, WaitHistogram waits, long window, long cpu, long violations, Marks marks)
        implements Serializable {
    /** {@return the acquisitions of all contenders} */
    public long total() {
        return acquisitions.stream().mapToLong(Long::longValue).sum();
    }
}
