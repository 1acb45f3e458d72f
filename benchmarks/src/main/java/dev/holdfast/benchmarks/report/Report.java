package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The files of the report: a page, a chart, and every figure of every round. */
public final class Report {
    private static final String OVERVIEW = "overview.svg";
    private static final String RAW = "results.csv";
    /** The interpretation of the figures, written by hand. */
    private static final String NOTES = "notes.md";

    private final Path directory;
    private final Map<String, String> conditions;
    private final Results results;

    /** A report for this directory. */
    public Report(Path directory, Map<String, String> conditions, Results results) {
        this.directory = directory;
        this.conditions = conditions;
        this.results = results;
    }

    /** {@return the results that a run under the same conditions has left in this directory, to be continued} */
    public static Results earlier(Path directory, Map<String, String> conditions, Consumer<String> progress) {
        try {
            return RawResults.read(directory.resolve(RAW), conditions, Workloads.all(), progress);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the results in " + directory, e);
        }
    }

    /** Writes all files, and replaces existing ones. */
    public void write() {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(RAW), RawResults.of(conditions, results));
            RatioChart overview = new RatioChart(results);
            if (!overview.isEmpty()) {
                Files.writeString(directory.resolve(OVERVIEW), overview.svg());
            }
            Files.writeString(directory.resolve("README.md"), page(!overview.isEmpty()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the report to " + directory, e);
        }
    }

    private String page(boolean overviewDrawn) throws IOException {
        List<String> parts = new ArrayList<>();
        parts.add(
                "# Benchmarks\n\nWritten by the runner in `benchmarks/`, which runs Holdfast and its peers side by side"
                        + " on the same servers. Only the ratios are meaningful: absolute figures depend on the machine.\n");
        parts.add(conditionsTable());
        parts.add(
                "## At a glance\n\n"
                        + "Medians over the rounds, whose number is given with each workload; a few have more or fewer than stated"
                        + " above. The last column shows how many times better Holdfast is than Redisson; below 1 it is worse.\n");
        parts.add(Tables.overview(results).markdown());
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
        int rounds = entries.stream().mapToInt(Entry::attempts).max().orElse(0);
        StringBuilder text = new StringBuilder("## " + workload.title() + "\n\n");
        text.append("`")
                .append(workload.id())
                .append("`, ")
                .append(rounds == 1 ? "one round: " : rounds + " rounds: ")
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
                Every figure of every round is in [results.csv](results.csv).
                """.formatted(table.markdown());
    }
}
