package dev.holdfast.examples.prices;

import dev.holdfast.examples.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a run.
 *
 * @param rows for each process what it has counted
 */
record PricesOutcome(List<Row> rows) {
    /**
     * What one process has counted.
     *
     * @param before until the reader was killed
     * @param during until the writer had the lock again
     * @param after from then on
     * @param killed whether it is the reader that was killed, and counted no more then
     */
    record Row(String name, boolean writes, Tally before, Tally during, Tally after, boolean killed) {
        private Tally all() {
            return before.plus(during).plus(after);
        }
    }

    /** {@return the expectations that the run did not meet} */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (Row row : rows) {
            if (row.all().torn() > 0) {
                complaints.add(row.name() + " has seen " + row.all().torn() + " price lists that were not whole");
            }
            if (row.before().times() == 0) {
                complaints.add(row.name() + " has never had the lock");
            }
            if (!row.killed() && row.after().times() == 0) {
                complaints.add(row.name() + " has not had the lock after the dead reader's lease");
            }
        }
        return complaints;
    }

    /** {@return the longest waits, as lines} */
    List<String> table() {
        Table table = new Table(
                "",
                "times",
                "longest wait before the kill",
                "while the dead reader's lease ran out",
                "after it",
                "lists not whole");
        for (Row row : rows) {
            table.row(
                    row.name(),
                    String.format(Locale.ROOT, "%,d", row.all().times()),
                    millis(row.before()),
                    row.killed() ? "killed" : millis(row.during()),
                    row.killed() ? "" : millis(row.after()),
                    row.writes() ? "" : Long.toString(row.all().torn()));
        }
        return table.lines();
    }

    private static String millis(Tally tally) {
        return tally.times() == 0 ? "-" : String.format(Locale.ROOT, "%,.1f ms", tally.longestMicros() / 1e3);
    }

    /** {@return the conclusion, if all expectations are met} */
    String verdict() {
        return "each price list that was read was whole, and all went on when the dead reader's lease had run out.";
    }
}
