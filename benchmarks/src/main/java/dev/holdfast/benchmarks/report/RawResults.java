package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.testkit.PresentBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A file with every figure of every round, from which a run is continued. First come the conditions, a comment each, then a line for
 * each figure, with its workload, system, round and value; a remark, or the reason of a failure, is a line as well.
 */
final class RawResults {
    private static final String TITLES = "workload,system,round,figure,value";
    private static final String FAILED = "failed";
    private static final String REMARK = "remark";
    private static final int COLUMNS = 5;

    /** The conditions that may differ between two parts of one run. */
    private static final Set<String> OF_ONE_PART = Set.of("command", "date");

    private RawResults() {}

    static String of(Map<String, String> conditions, Results results) {
        List<String> lines = new ArrayList<>();
        conditions.forEach((name, value) -> lines.add(condition(name, value)));
        lines.add(TITLES);
        for (Workload workload : results.workloads()) {
            for (Entry entry : results.entries(workload)) {
                String prefix = workload.id() + "," + entry.system().id() + ",";
                int round = 0;
                for (Figures figures : entry.rounds()) {
                    add(lines, prefix + ++round + ",", figures);
                }
                for (String why : entry.failures()) {
                    lines.add(prefix + ++round + "," + FAILED + "," + onOneLine(why));
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    /** Adds a line for each figure, and one for the remark. */
    static void add(List<String> lines, String prefix, Figures figures) {
        figures.all().forEach((metric, value) -> lines.add(prefix + metric + "," + value));
        figures.remark().ifPresent(remark -> lines.add(prefix + REMARK + "," + onOneLine(remark)));
    }

    private static String condition(String name, String value) {
        return "# " + name + ": " + value;
    }

    private static String onOneLine(String text) {
        return text.replace('\n', ' ');
    }

    /**
     * {@return what a run under the same conditions has left in this file; nothing if there is no file, the conditions
     * differ, or the build has changes since its commit}
     *
     * @param progress is given the conditions that differ
     */
    static Results read(Path file, Map<String, String> conditions, List<Workload> workloads, Consumer<String> progress)
            throws IOException {
        Results results = new Results();
        if (!Files.exists(file)) {
            return results;
        }
        List<String> lines = Files.readAllLines(file);
        Set<String> comments =
                lines.stream().filter(line -> line.startsWith("# ")).collect(Collectors.toSet());
        List<String> other = conditions.entrySet().stream()
                .filter(condition -> !OF_ONE_PART.contains(condition.getKey()))
                .filter(condition -> !PresentBuild.isCommitted(condition.getValue())
                        || !comments.contains(condition(condition.getKey(), condition.getValue())))
                .map(Map.Entry::getKey)
                .toList();
        if (!other.isEmpty()) {
            progress.accept("begins anew: the results in " + file + " are of another " + String.join(", ", other));
            return results;
        }
        for (String line : lines.subList(lines.indexOf(TITLES) + 1, lines.size())) {
            String[] cells = line.split(",", COLUMNS);
            workloads.stream()
                    .filter(workload -> workload.id().equals(cells[0]))
                    .map(workload -> results.begin(workload, List.of(LockSystem.of(cells[1])))
                            .get(0))
                    .forEach(entry -> add(entry, Integer.parseInt(cells[2]), cells[3], cells[4]));
        }
        return results;
    }

    private static void add(Entry entry, int round, String figure, String value) {
        if (figure.equals(FAILED)) {
            entry.failed(value);
            return;
        }
        if (entry.rounds().size() < round) {
            entry.measured(new Figures());
        }
        Figures figures = entry.rounds().get(round - 1);
        if (figure.equals(REMARK)) {
            figures.remark(value);
        } else {
            figures.put(Metric.valueOf(figure), Double.parseDouble(value));
        }
    }
}
