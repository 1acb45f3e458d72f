package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.schedule.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of a run as Markdown. */
final class Report {
    private final Tally tally;

    Report(Tally tally) {
        this.tally = tally;
    }

    /**
     * {@return the tables}
     *
     * @param command the command that repeats the run
     * @param server the server with the locks
     * @param took the length of the run
     * @param cut what ended the run early, if it did not end normally
     */
    List<String> lines(String command, String server, Duration took, Optional<String> cut) {
        List<String> lines = new ArrayList<>();
        lines.add("```\n" + command + "\n```");
        lines.add("");
        lines.add("On " + server + ", " + took.toMinutes() + " min " + took.toSecondsPart() + " s.");
        lines.add("");
        cut.ifPresent(why -> lines.addAll(List.of("**Cut short** by " + why, "")));
        lines.addAll(totals());
        lines.add("");
        lines.addAll(rules());
        lines.add("");
        lines.addAll(faults());
        return lines;
    }

    private List<String> totals() {
        List<String> lines = new ArrayList<>(List.of("| | |", "|---|---:|"));
        lines.add(row("rounds", number(tally.rounds())));
        lines.add(row("with a Redisson client", number(tally.roundsWithRedisson())));
        lines.add(row("with a crowd of clients", number(tally.roundsWithCrowds())));
        lines.add(row("with replicated locks", number(tally.roundsReplicated())));
        lines.add(row("operations", number(tally.operations())));
        lines.add(row("acquisitions", number(tally.count(Outcome.GRANTED))));
        lines.add(row("handed off within a client", number(tally.handoffs())));
        lines.add(row("refused, the lock being busy", number(tally.count(Outcome.REFUSED))));
        lines.add(row(
                "given up by interrupt or cancelled",
                number(tally.count(Outcome.INTERRUPTED) + tally.count(Outcome.CANCELLED))));
        lines.add(row("failed, Redis not answering", number(tally.count(Outcome.FAILED))));
        lines.add(row("leases lost and announced", number(tally.losses())));
        lines.add(row("faults", number(tally.faults())));
        lines.add(row("undecided", number(tally.undecided().size())));
        lines.add(row("violations", "**" + tally.violations().size() + "**"));
        return lines;
    }

    private List<String> rules() {
        List<String> lines = new ArrayList<>(
                List.of("| rule | judged | in a named window | undecided | violations |", "|---|---:|---:|---:|---:|"));
        for (Map.Entry<String, Tally.Rule> entry : tally.rules().entrySet()) {
            Tally.Rule rule = entry.getValue();
            lines.add(row(
                    entry.getKey(),
                    number(rule.judged()),
                    number(rule.excused()),
                    number(rule.undecided()),
                    number(rule.violations())));
        }
        return lines;
    }

    private List<String> faults() {
        List<String> lines =
                new ArrayList<>(List.of("| fault | times | slowest recovery in ms (measured) |", "|---|---:|---:|"));
        for (FaultKind kind : FaultKind.values()) {
            Tally.Faults faults = tally.of(kind);
            if (faults.count() > 0) {
                lines.add(row(kind.text(), number(faults.count()), recovery(faults)));
            }
        }
        return lines;
    }

    /** A fault is counted even if the next one began before the recovery, in which case it has no time. */
    private static String recovery(Tally.Faults faults) {
        String slowest = faults.measured() == 0 ? "-" : number(faults.slowest().toMillis());
        return slowest + " (" + faults.measured() + " of " + faults.count() + ")";
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
