package dev.holdfast.benchmarks.measure;

import dev.holdfast.benchmarks.measure.Journal.Entry;
import java.util.Comparator;
import java.util.List;

/** How many acquisitions of a lock were not granted in the order of their calls. */
public final class Overtaking {
    private Overtaking() {}

    /**
     * {@return the share of the acquisitions before which another was granted whose call had begun later, in percent; 0 if there
     * is none}
     *
     * @param entries the acquisitions of all contenders, in any order
     * @param from only acquisitions from this time on count
     * @param margin by how much later, in nanoseconds: between the begin of a call and the server's receipt of its command,
     *     a thread may lose its processor
     */
    public static double percent(List<Entry> entries, long from, long margin) {
        List<Entry> inOrder = entries.stream()
                .filter(entry -> entry.entered() >= from)
                .sorted(Comparator.comparingLong(Entry::entered))
                .toList();
        if (inOrder.isEmpty()) {
            return 0;
        }
        long overtaken = 0;
        long latest = inOrder.get(0).requested();
        for (Entry entry : inOrder) {
            overtaken += latest - entry.requested() > margin ? 1 : 0;
            latest = Math.max(latest, entry.requested());
        }
        return 100.0 * overtaken / inOrder.size();
    }
}
