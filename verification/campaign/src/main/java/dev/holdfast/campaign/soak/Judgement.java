package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.run.Ending;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the entries of a soak mean.
 *
 * @param rows the trend of each measure of each series that is long enough
 * @param tooShort the series that are not
 * @param violations what must not have happened, trends included
 * @param played the number of minutes
 */
record Judgement(List<Row> rows, List<String> tooShort, List<String> violations, int played) {
    private static final String PROCESS = "process ";

    /** One measure of one series. */
    record Row(String series, Measure measure, Trend trend) {}

    /** @param samples how many samples the second half of a series must have to be judged */
    static Judgement of(List<Entry> entries, int samples) {
        List<Row> rows = new ArrayList<>();
        List<String> tooShort = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        series(entries)
                .forEach((name, measures) -> measures.forEach((measure, values) -> {
                    Trend trend = Trend.of(values);
                    if (trend.samples() >= samples) {
                        rows.add(new Row(name, measure, trend));
                    } else if (!tooShort.contains(name)) {
                        tooShort.add(name);
                    }
                }));
        Entry.all(entries, Entry.Violation.class)
                .forEach(seen -> seen.what().forEach(what -> violations.add("minute " + seen.minute() + ": " + what)));
        rows.stream()
                .filter(row -> row.measure().isExceededBy(row.trend()))
                .forEach(row ->
                        violations.add(row.series() + ": " + row.measure().text() + " grow: " + row.trend()));
        return new Judgement(
                rows,
                tooShort,
                violations,
                Entry.all(entries, Entry.Minute.class).size());
    }

    private static Map<String, Map<Measure, List<Long>>> series(List<Entry> entries) {
        Map<String, Map<Measure, List<Long>>> series = new TreeMap<>();
        for (Entry.OfProcess process : Entry.all(entries, Entry.OfProcess.class)) {
            add(series, PROCESS + process.series(), Measure.HEAP, process.heap() / 1024);
            add(series, PROCESS + process.series(), Measure.THREADS, process.threads());
            add(series, PROCESS + process.series(), Measure.DESCRIPTORS, process.descriptors());
        }
        for (Entry.OfServers servers : Entry.all(entries, Entry.OfServers.class)) {
            add(series, "servers " + servers.series(), Measure.CONNECTIONS, servers.connections());
            add(series, "servers " + servers.series(), Measure.SUBSCRIPTIONS, servers.subscriptions());
            add(series, "servers " + servers.series(), Measure.KEYS, servers.keys());
        }
        return series;
    }

    private static void add(Map<String, Map<Measure, List<Long>>> all, String series, Measure measure, long value) {
        all.computeIfAbsent(series, name -> new EnumMap<>(Measure.class))
                .computeIfAbsent(measure, name -> new ArrayList<>())
                .add(value);
    }

    /** {@return how many processes are too short to be judged} */
    long briefProcesses() {
        return tooShort.stream().filter(series -> series.startsWith(PROCESS)).count();
    }

    /**
     * {@return the result of a soak} It is good only if all minutes were played, and at least half of as many are in legs that are long
     * enough to be judged.
     *
     * @param required how many minutes
     * @param cutShort whether the last leg ended by a failure of something other than a lock
     */
    Ending ending(int required, boolean cutShort) {
        if (!violations.isEmpty()) {
            return Ending.VIOLATED;
        } else if (cutShort) {
            return Ending.CUT_SHORT;
        }
        int judged = rows.stream()
                .filter(row -> row.measure() == Measure.KEYS)
                .mapToInt(row -> 2 * row.trend().samples())
                .sum();
        return played < required || 2 * judged < required ? Ending.UNDECIDED : Ending.GOOD;
    }
}
