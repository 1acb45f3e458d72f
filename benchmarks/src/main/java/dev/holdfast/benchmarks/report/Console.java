package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.workload.Workload;
import java.util.List;

/** The report for a terminal. */
public final class Console {
    private Console() {}

    /** {@return the figures of one workload} */
    public static String of(Workload workload, List<Entry> entries) {
        StringBuilder text = new StringBuilder("\n" + workload.title() + " (" + workload.id() + ")\n\n");
        text.append(Tables.figures(workload, entries).plain());
        for (Entry entry : entries) {
            entry.remark().ifPresent(remark -> text.append(entry.system().title())
                    .append(": ")
                    .append(remark)
                    .append('\n'));
        }
        return text.toString();
    }

    /** {@return the headline figures of all workloads} */
    public static String overview(Results results) {
        return "\n" + Tables.overview(results).plain();
    }
}
