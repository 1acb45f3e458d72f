package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.WaitHistogram;
import java.io.Serializable;
import java.util.List;

/**
 * The counts of a worker.
 *
 * @param acquisitions the acquisitions of each contender within the window
 * @param ever the acquisitions of all contenders, from the start to the end
 * @param waits the waits of all contenders together, within the window
 * @param opened the time when the window was opened, in nanoseconds on the machine's monotonic clock
 * @param window the length of the window, in nanoseconds
 * @param cpu the CPU time of the process within the window, in nanoseconds
 * @param violations the violations of exclusion, from the start to the end
 * @param marks the results that only some tasks have
 * @param sides if the contenders read and write, the counts of reads and those of writes; otherwise empty
 */
public record Tally(
        List<Long> acquisitions,
        long ever,
        WaitHistogram waits,
        long opened,
        long window,
        long cpu,
        long violations,
        Marks marks,
        List<Tally> sides)
        implements Serializable {
    Tally(
            List<Long> acquisitions,
            long ever,
            WaitHistogram waits,
            long opened,
            long window,
            long cpu,
            long violations,
            Marks marks) {
        this(acquisitions, ever, waits, opened, window, cpu, violations, marks, List.of());
    }

    /** {@return the tally of a task without contenders} */
    static Tally of(Window window, Marks marks) {
        return new Tally(List.of(), 0, new WaitHistogram(), window.opened(), window.nanos(), window.cpu(), 0, marks);
    }

    /** {@return the same with other marks} */
    Tally with(Marks other) {
        return new Tally(acquisitions, ever, waits, opened, window, cpu, violations, other, sides);
    }

    /** {@return the same with the counts of its reads and of its writes} */
    Tally withSides(Tally reads, Tally writes) {
        return new Tally(acquisitions, ever, waits, opened, window, cpu, violations, marks, List.of(reads, writes));
    }

    /** {@return the acquisitions of all contenders within the window} */
    public long total() {
        return acquisitions.stream().mapToLong(Long::longValue).sum();
    }
}
