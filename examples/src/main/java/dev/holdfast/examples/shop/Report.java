package dev.holdfast.examples.shop;

import dev.holdfast.examples.Table;
import dev.holdfast.examples.shop.Outcome.SellerOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The accounts of a run as readable text. */
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
        lines.addAll(outcome.plan().locked() ? underLock() : sales());
        lines.add("");
        lines.addAll(totals());
        lines.add("");
        verdict.complaints().forEach(complaint -> lines.add("OFF: " + complaint));
        lines.add("Verdict: " + verdict());
        return lines;
    }

    private List<String> underLock() {
        Table table =
                new Table("process", "sold", "acquired", "wait p50 (ms)", "wait p99 (ms)", "renewals", "lost", "end");
        for (SellerOutcome seller : outcome.sellers()) {
            boolean finished = seller.end() == Outcome.End.FINISHED;
            table.row(
                    Integer.toString(seller.process()),
                    Integer.toString(outcome.ledger().soldBy(seller.process())),
                    Integer.toString(seller.waits().count()),
                    Text.millis(seller.waits().percentile(50)),
                    Text.millis(seller.waits().percentile(99)),
                    finished ? Long.toString(seller.renewals()) : "-",
                    finished ? Long.toString(seller.lost()) : "-",
                    end(seller));
        }
        return table.row(
                        "all",
                        Integer.toString(outcome.ledger().sold()),
                        Integer.toString(outcome.waits().count()),
                        Text.millis(outcome.waits().percentile(50)),
                        Text.millis(outcome.waits().percentile(99)),
                        Long.toString(outcome.renewals()),
                        Long.toString(outcome.lost()),
                        "")
                .lines();
    }

    private List<String> sales() {
        Table table = new Table("process", "sold", "end");
        for (SellerOutcome seller : outcome.sellers()) {
            table.row(
                    Integer.toString(seller.process()),
                    Integer.toString(outcome.ledger().soldBy(seller.process())),
                    end(seller));
        }
        return table.row("all", Integer.toString(outcome.ledger().sold()), "").lines();
    }

    private static String end(SellerOutcome seller) {
        return seller.end().name().toLowerCase(Locale.ROOT);
    }

    private List<String> totals() {
        List<String> lines = new ArrayList<>(List.of(
                entry("sold", outcome.ledger().sold() + " of " + outcome.plan().stock()),
                entry("oversold", Integer.toString(outcome.ledger().oversold())),
                entry("left", Integer.toString(outcome.left()))));
        outcome.accident()
                .ifPresent(accident -> lines.add(entry(
                        "killed holder's lock",
                        "process " + accident.process() + "; stayed "
                                + accident.stayed().map(Text::seconds).orElse("for good") + " (at most "
                                + Text.seconds(outcome.plan().longestStay()) + ")")));
        outcome.longSale()
                .ifPresent(sale -> lines.add(entry(
                        "long sale",
                        "process " + sale.process() + "; held the lock for " + Text.seconds(sale.held())
                                + ", renewed " + Text.times(sale.renewals()) + ", "
                                + (sale.kept() ? "never lost" : "LOST"))));
        outcome.failover()
                .ifPresent(failover -> lines.add(entry(
                        "killed master",
                        "that of the lock; the sale stood still for " + Text.seconds(failover.stoodStill()))));
        lines.add(entry("time", Text.seconds(outcome.took())));
        return lines;
    }

    private static String entry(String name, String value) {
        return String.format(Locale.ROOT, "%-22s%s", name, value);
    }

    private String verdict() {
        if (!verdict.isGood()) {
            return "not as it must be.";
        }
        return outcome.plan().locked()
                ? "every item was sold once."
                : "without the lock, " + outcome.ledger().oversold()
                        + " sales were of an item that had been sold before.";
    }
}
