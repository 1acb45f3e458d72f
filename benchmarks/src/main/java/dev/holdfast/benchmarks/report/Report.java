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

/** The report in files: a page, a chart for each workload and one for all, and every figure of every round. */
public final class Report {
    private static final String OVERVIEW = "overview.svg";
    /** Written by people: what the figures mean. */
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

    /** Writes all files, over those that are there. */
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
                Map<String, Object> said = new LinkedHashMap<>();
                said.put(
                        "rounds",
                        entry.rounds().stream().map(figures -> figures.all()).toList());
                entry.remark().ifPresent(remark -> said.put("remark", remark));
                bySystem.put(entry.system().id(), said);
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
                "# Benchmarks\n\nWritten by the runner in `benchmarks/`, which runs Holdfast and its peers side by side on"
                        + " one server. What counts are the ratios: the absolute figures are those of this machine.\n");
        parts.add(conditionsTable());
        parts.add("## At a glance\n\n"
                + "Medians over the rounds. The columns with an x say how many times better Holdfast is; below 1 it is"
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

                - Within a workload the systems take turns, once a round, and every round begins with another of them. Every
                  measurement has JVMs of its own, all with the same options, and a server that was emptied.
                - Contenders start together and run through a warm-up, a window, and on until the window is shut in every
                  process. Only what lies within the window is counted, so all contend all the time that counts.
                - Each library has its own defaults, but for the watchdog timeout where a workload names one.
                - Exclusion is checked while it is measured: whoever enters swaps his number into a word of memory that all
                  processes map, and swaps it out when he leaves. A swap that fails is a violation, and fails the run.
                - "two bare EVALSHA" is no lock: the scripts that take and give back, sent on one connection with the driver
                  set up as Holdfast sets it up. It is what the network, the server and the driver cost anybody. What depends
                  on a reply stays on the I/O thread that read it. "Written together" has all commands of one turn of that
                  thread in one write, as Holdfast has it.
                - Figures are medians over the rounds. min..max is the range of the figure that the workload compares.

                %s
                Every figure of every round is in [results.json](results.json).
                """.formatted(table.markdown());
    }
}
