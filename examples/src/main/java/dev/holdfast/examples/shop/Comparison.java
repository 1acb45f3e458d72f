package dev.holdfast.examples.shop;

import dev.holdfast.examples.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The flash sales of one stock, divided in different ways, beside each other; the first is what others are compared to. */
final class Comparison {
    private final List<Outcome> outcomes;

    Comparison(List<Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    List<String> lines() {
        Table table =
                new Table("locks", "sellers", "sold", "oversold", "wait p50 (ms)", "wait p99 (ms)", "time", "factor");
        double first = outcomes.get(0).took().toNanos();
        for (Outcome outcome : outcomes) {
            Plan plan = outcome.plan();
            table.row(
                    Integer.toString(plan.segments()),
                    Integer.toString(plan.processes() * plan.threads()),
                    Integer.toString(outcome.ledger().sold()),
                    Integer.toString(outcome.ledger().oversold()),
                    Text.millis(outcome.waits().percentile(50)),
                    Text.millis(outcome.waits().percentile(99)),
                    Text.seconds(outcome.took()),
                    String.format(Locale.ROOT, "%.1f", first / outcome.took().toNanos()));
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines());
        return lines;
    }
}
