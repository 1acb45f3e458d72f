package dev.holdfast.examples.limit;

import dev.holdfast.examples.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a run. The worker that was killed is the last one.
 *
 * @param permits how many calls at once there may be
 * @param lease for how long a process that has died keeps its permit at most
 * @param before what was counted until the worker was killed
 * @param during until its permit was in use again
 * @param after from then on
 * @param back how long after the kill its permit was in use again
 */
record LimitOutcome(int permits, Duration lease, Count before, Count during, Count after, Duration back) {
    /** How late a permit may come back on a machine that is busy. */
    private static final Duration LATE = Duration.ofSeconds(2);

    /** {@return the expectations that the run did not meet} */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        atOnce("before the kill", before, permits, complaints);
        atOnce("until the permit was back", during, permits - 1, complaints);
        atOnce("after it", after, permits, complaints);
        int workers = before.calls().size();
        for (int worker = 0; worker < workers; worker++) {
            if (before.calls().get(worker) == 0) {
                complaints.add("worker " + (worker + 1) + " has never had a permit");
            }
            if (worker < workers - 1 && after.calls().get(worker) == 0) {
                complaints.add("worker " + (worker + 1) + " has not had a permit after the kill");
            }
        }
        Duration atLeast = lease.dividedBy(2); // it was renewed after each third, or a little later
        if (back.compareTo(atLeast) < 0 || back.compareTo(lease.plus(LATE)) > 0) {
            complaints.add("the permit was back after " + seconds(back) + ", with a lease of " + seconds(lease));
        }
        return complaints;
    }

    private static void atOnce(String part, Count count, int expected, List<String> complaints) {
        if (count.mostAtOnce() != expected) {
            complaints.add(count.mostAtOnce() + " calls at once " + part + ", in place of " + expected);
        }
        if (count.clashes() > 0) {
            complaints.add(count.clashes() + " calls " + part + " with the number of another call");
        }
    }

    /** {@return the calls, and how many there were at once, as lines} */
    List<String> table() {
        Table table = new Table("", "calls before the kill", "until the permit was back", "after it");
        int workers = before.calls().size();
        for (int worker = 0; worker < workers; worker++) {
            boolean killed = worker == workers - 1;
            table.row(
                    "worker " + (worker + 1),
                    calls(before, worker),
                    killed ? "killed" : calls(during, worker),
                    killed ? "" : calls(after, worker));
        }
        table.row("most at once", most(before), most(during), most(after));
        return table.lines();
    }

    private static String calls(Count count, int worker) {
        return String.format(Locale.ROOT, "%,d", count.calls().get(worker));
    }

    private static String most(Count count) {
        return Integer.toString(count.mostAtOnce());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1e3);
    }

    /** {@return the conclusion, if all expectations are met} */
    String verdict() {
        return "never more than " + permits + " calls at once, and the dead worker's permit was in use again "
                + seconds(back) + " after the kill, with a lease of " + seconds(lease) + ".";
    }
}
