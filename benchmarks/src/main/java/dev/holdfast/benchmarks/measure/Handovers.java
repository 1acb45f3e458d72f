package dev.holdfast.benchmarks.measure;

import java.util.Comparator;
import java.util.List;

/** The times for which nobody had a lock, between the holds of its clients. */
public final class Handovers {
    private Handovers() {}

    /** {@return the times from the end of one hold to the begin of the next; the holds may be in any order} */
    public static WaitHistogram of(List<Journal.Entry> entries) {
        List<Journal.Entry> inOrder = entries.stream()
                .sorted(Comparator.comparingLong(Journal.Entry::entered))
                .toList();
        WaitHistogram times = new WaitHistogram();
        for (int i = 1; i < inOrder.size(); i++) {
            times.record(
                    Math.max(0, inOrder.get(i).entered() - inOrder.get(i - 1).left()));
        }
        return times;
    }
}
