package dev.holdfast.examples.service.demo;

import dev.holdfast.examples.service.demo.Outcome.InstanceOutcome;
import dev.holdfast.examples.service.demo.Outcome.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The outcome of a run as readable text. */
final class Report {
    private final Outcome outcome;
    private final Verdict verdict;

    Report(Outcome outcome, Verdict verdict) {
        this.outcome = outcome;
        this.verdict = verdict;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("instance    sold  acquired  lost");
        lines.add("--------  ------  --------  ----");
        outcome.instances().forEach(instance -> lines.add(row(instance)));
        lines.add("");
        lines.add(entry("sold", outcome.sold() + " of " + outcome.plan().stock()));
        lines.add(entry("sold twice", outcome.soldAgain()));
        lines.add(entry("left", outcome.left()));
        if (outcome.plan().locked()) {
            lines.add(entry("refused by the fence", outcome.refused()));
            lines.add(entry("busy or lost lock", outcome.unavailable() + ", and tried again"));
            lines.add(entry("without a reply", outcome.unanswered() + ", from the killed instance"));
            lines.add(entry("sale stood still", standstills()));
        }
        lines.add(entry("time", seconds(outcome.took())));
        lines.add("");
        verdict.complaints().forEach(complaint -> lines.add("OFF: " + complaint));
        lines.add("Verdict: " + verdict());
        return lines;
    }

    private static String row(InstanceOutcome instance) {
        return String.format(
                        Locale.ROOT,
                        "%-8s  %6d  %8s  %4s  %s",
                        instance.name(),
                        instance.sold(),
                        cell(instance.meters(), Meters::acquired),
                        cell(instance.meters(), Meters::lost),
                        instance.remark())
                .stripTrailing();
    }

    private static String cell(Optional<Meters> meters, ToLongFunction<Meters> figure) {
        return meters.map(all -> Long.toString(figure.applyAsLong(all))).orElse("-");
    }

    private String standstills() {
        return seconds(outcome.killed()) + " when one was killed, " + seconds(outcome.stopped())
                + " when one was stopped; a lease is at most " + seconds(Plan.LEASE);
    }

    private static String seconds(Optional<Duration> duration) {
        return duration.map(Report::seconds).orElse("-");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
    }

    private static String entry(String name, Object value) {
        return String.format(Locale.ROOT, "%-22s%s", name, value);
    }

    private String verdict() {
        if (!verdict.isGood()) {
            return "not as it must be.";
        }
        return outcome.plan().locked()
                ? "every piece was sold once."
                : "without the lock, " + outcome.soldAgain() + " sales were of a piece that had been sold before.";
    }
}
