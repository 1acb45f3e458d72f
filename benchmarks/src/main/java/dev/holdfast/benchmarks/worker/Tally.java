package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.WaitHistogram;
import java.io.Serializable;
import java.util.List;

/**
 * What a worker counted.
 *
 * @param acquisitions of each contender, within the window
 * @param ever acquisitions of all, from the start to the end
 * @param waits of all contenders together, within the window
 * @param opened when the window was opened, in nanoseconds on the machine's monotonic clock
 * @param window its length, in nanoseconds
 * @param cpu the CPU time of the process within the window, in nanoseconds
 * @param violations times exclusion was seen broken, from the start to the end
 * @param marks what only some tasks know of
 */
public record Tally(
        List<Long> acquisitions,
        long ever,
        WaitHistogram waits,
        long opened,
        long window,
        long cpu,
        long violations,
        Marks marks)
        implements Serializable {
    /** {@return the tally of a task that is not about waiting for one's turn} */
    static Tally of(Window window, Marks marks) {
        return new Tally(List.of(), 0, new WaitHistogram(), window.opened(), window.nanos(), window.cpu(), 0, marks);
    }

    /** {@return the acquisitions of all contenders within the window} */
    public long total() {
        return acquisitions.stream().mapToLong(Long::longValue).sum();
    }
}
