package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.schedule.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of a soak as Markdown.
 *
 * @param entries its journal
 * @param judgement of these
 */
record SoakReport(SoakOptions options, List<Entry> entries, Judgement judgement) {
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("```", command(), "```", ""));
        Entry.all(entries, Entry.Leg.class)
                .forEach(leg -> lines.add("Leg " + leg.number() + " on " + (leg.cluster() ? "a cluster" : "one server")
                        + ", commit " + leg.build() + ", Redis " + leg.version() + ", began " + leg.began() + ". "));
        lines.add("");
        lines.addAll(totals());
        lines.add("");
        lines.addAll(trends());
        lines.add("");
        lines.addAll(faults());
        return lines;
    }

    private String command() {
        return String.format(
                Locale.ROOT,
                "mvn -q -pl verification/campaign -am compile exec:exec -Dcampaign.args=\"--soak %s --topology %s --seed %d\"",
                String.valueOf(options.minutes() / 60.0).replaceFirst("\\.0$", ""),
                options.cluster() ? "cluster" : "single",
                options.seed());
    }

    private List<String> totals() {
        List<Entry.Minute> minutes = Entry.all(entries, Entry.Minute.class);
        List<String> lines = new ArrayList<>(List.of("| | |", "|---|---:|"));
        lines.add(row("minutes, each with a fault", Integer.toString(judgement.played())));
        lines.add(row(
                "holds, and uses of a latch",
                String.format(
                        Locale.ROOT,
                        "%,d",
                        minutes.stream().mapToLong(Entry.Minute::uses).sum())));
        lines.add(row("turns that failed", String.format(Locale.ROOT, "%,d", failed())));
        lines.add(row("processes too short-lived to be judged", Long.toString(judgement.briefProcesses())));
        lines.add(row("violations", "**" + judgement.violations().size() + "**"));
        return lines;
    }

    /** Each process counts from its beginning. */
    private long failed() {
        Map<String, Long> last = new LinkedHashMap<>();
        Entry.all(entries, Entry.OfProcess.class).forEach(process -> last.put(process.series(), process.failed()));
        return last.values().stream().mapToLong(Long::longValue).sum();
    }

    private List<String> trends() {
        List<String> lines =
                new ArrayList<>(List.of("| series | samples | measure | level | growth |", "|---|---:|---|---:|---:|"));
        judgement
                .rows()
                .forEach(row -> lines.add(row(
                        row.series(),
                        Integer.toString(row.trend().samples()),
                        row.measure().text(),
                        number(row.trend().level()),
                        number(row.trend().growth()))));
        return lines;
    }

    private List<String> faults() {
        List<String> lines = new ArrayList<>(List.of("| fault | times | slowest recovery in s |", "|---|---:|---:|"));
        Map<FaultKind, List<Entry.Minute>> byKind = Entry.all(entries, Entry.Minute.class).stream()
                .collect(Collectors.groupingBy(
                        Entry.Minute::fault, () -> new EnumMap<>(FaultKind.class), Collectors.toList()));
        byKind.forEach((kind, minutes) -> lines.add(row(
                kind.text(),
                Integer.toString(minutes.size()),
                number(minutes.stream()
                                .mapToLong(Entry.Minute::recoveryMillis)
                                .max()
                                .orElse(0)
                        / 1000.0))));
        return lines;
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String number(double number) {
        return String.format(Locale.ROOT, number == Math.rint(number) ? "%,.0f" : "%,.1f", number);
    }
}
