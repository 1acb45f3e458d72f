package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of the report: a page, a chart for each workload and one for all, and every figure of every round. */
public final class Report {
    private static final String OVERVIEW = "overview.svg";
    /** The interpretation of the figures, written by hand. */
    private static final String NOTES = "notes.md";

    private final Path directory;
    private final Map<String, String> conditions;
    private final List<LockSystem> systems;
    private final Results results;

    /** A report for this directory. */
    public Report(Path directory, Map<String, String> conditions, List<LockSystem> systems, Results results) {
        this.directory = directory;
        this.conditions = conditions;
        this.systems = systems;
        this.results = results;
    }

    /** Writes all files, and replaces existing ones. */
    public void write() {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("results.json"), Json.of(raw()));
            RatioChart overview = new RatioChart(results);
            if (!overview.isEmpty()) {
                Files.writeString(directory.resolve(OVERVIEW), overview.svg());
            }
            for (Workload workload : results.workloads()) {
                BarChart chart = new BarChart(workload, results.entries(workload));
                if (!chart.isEmpty()) {
                    Files.writeString(directory.resolve(chartOf(workload)), chart.svg());
                }
            }
            Files.writeString(directory.resolve("README.md"), page(!overview.isEmpty()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the report to " + directory, e);
        }
    }

    private static String chartOf(Workload workload) {
        return workload.id() + ".svg";
    }

    private Map<String, Object> raw() {
        Map<String, Object> workloads = new LinkedHashMap<>();
        for (Workload workload : results.workloads()) {
            Map<String, Object> bySystem = new LinkedHashMap<>();
            for (Entry entry : results.entries(workload)) {
                Map<String, Object> content = new LinkedHashMap<>();
                content.put(
                        "rounds",
                        entry.rounds().stream().map(figures -> figures.all()).toList());
                entry.remark().ifPresent(remark -> content.put("remark", remark));
                bySystem.put(entry.system().id(), content);
            }
            workloads.put(workload.id(), bySystem);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("conditions", conditions);
        all.put("workloads", workloads);
        return all;
    }

    private String page(boolean overviewDrawn) throws IOException {
        List<String> parts = new ArrayList<>();
        parts.add(
                "# Benchmarks\n\nWritten by the runner in `benchmarks/`, which runs Holdfast and its peers side by side"
                        + " on the same servers. Only the ratios are meaningful: absolute figures depend on the machine.\n");
        parts.add(conditionsTable());
        parts.add("## At a glance\n\n"
                + "Medians over the rounds. The columns with an x show how many times better Holdfast is; below 1 it is"
                + " worse.\n");
        parts.add(Tables.overview(results, systems).markdown());
        if (overviewDrawn) {
            parts.add("![How many times better than Redisson each is](" + OVERVIEW + ")\n");
        }
        Path notes = directory.resolve(NOTES);
        if (Files.exists(notes)) {
            parts.add(Files.readString(notes));
        }
        for (Workload workload : results.workloads()) {
            parts.add(section(workload));
        }
        parts.add(counting());
        return String.join("\n", parts);
    }

    private String conditionsTable() {
        Table table = new Table(List.of("", ""));
        conditions.forEach(
                (name, value) -> table.row(List.of(name, name.equals("command") ? "`" + value + "`" : value)));
        return table.markdown();
    }

    private String section(Workload workload) {
        List<Entry> entries = results.entries(workload);
        StringBuilder text = new StringBuilder("## " + workload.title() + "\n\n");
        text.append("`")
                .append(workload.id())
                .append("`: ")
                .append(workload.description())
                .append("\n\n");
        text.append(Tables.figures(workload, entries).markdown());
        for (Entry entry : entries) {
            entry.remark().ifPresent(remark -> text.append("\n")
                    .append(entry.system().title())
                    .append(": ")
                    .append(remark)
                    .append(".\n"));
        }
        if (!new BarChart(workload, entries).isEmpty()) {
            text.append("\n![")
                    .append(workload.title())
                    .append("](")
                    .append(chartOf(workload))
                    .append(")\n");
        }
        return text.toString();
    }

    private String counting() {
        Table table = new Table(List.of("figure", "what it is", "how it is counted"));
        results.workloads().stream()
                .flatMap(workload -> Results.metrics(results.entries(workload)).stream())
                .distinct()
                .sorted()
                .forEach(metric -> table.row(List.of(metric.label(), metric.title(), metric.counting())));
        return """
                ## How it is measured

                - Within a workload the systems take turns, once in each round, and each round begins with another
                  system. Every measurement has JVMs of its own, all with the same options, and a server that was
                  emptied before, or servers that were started for it.
                - Contenders start together and run through a warm-up and a window, until the window is shut in every
                  process. Only events within the window are counted, so all contenders run for the whole time that is
                  counted.
                - Each library has its own defaults, except for the watchdog timeout where a workload specifies one, and
                  for Spring Integration's registry, which is set to wait for releases by pub/sub.
                - Exclusion is checked during the measurement: a contender that enters swaps its number into a word of
                  memory that all processes map, and swaps it out when it leaves. A swap that fails is a violation, and
                  fails the run.
                - "two bare EVALSHA" is not a lock: it sends the scripts that acquire and release on one connection,
                  with the driver configured as in Holdfast. So it has the cost of the network, the server and the
                  driver alone. The continuation of a reply runs on the I/O thread that read it. "Written together"
                  sends all commands of one turn of that thread in one write, as Holdfast does.
                - Figures are medians over the rounds. min..max is the range of the figure by which the workload
                  compares.

                %s
                Every figure of every round is in [results.json](results.json).
                """.formatted(table.markdown());
    }
}
