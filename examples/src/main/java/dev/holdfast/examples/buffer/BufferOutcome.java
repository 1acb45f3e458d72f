package dev.holdfast.examples.buffer;

import dev.holdfast.examples.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The result of a run. The consumer that was killed is the last one.
 *
 * @param lease for how long a process that has died keeps the lock at most
 * @param producers how many items each has put, and how often it has waited
 * @param consumers which items each has shipped, and how often it has waited
 * @param left the item that the dead process had taken
 * @param shippedBefore how many items had been shipped by it
 * @param free how long after the kill the lock was free again
 */
record BufferOutcome(
        Duration lease, List<Put> producers, List<Shipped> consumers, String left, int shippedBefore, Duration free) {
    /** How late the lock may be free on a machine that is busy. */
    private static final Duration LATE = Duration.ofSeconds(2);

    record Put(int items, int waits) {}

    record Shipped(List<String> items, int waits) {}

    private int items() {
        return producers.stream().mapToInt(Put::items).sum();
    }

    private Shipped successor() {
        return consumers.get(consumers.size() - 1);
    }

    /** {@return the expectations that the run did not meet} */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        Set<String> missing = new HashSet<>();
        for (int producer = 0; producer < producers.size(); producer++) {
            int items = producers.get(producer).items();
            if (items == 0) {
                complaints.add("producer " + (producer + 1) + " has put nothing");
            }
            for (int number = 1; number <= items; number++) {
                missing.add(ProducerProcess.item(Integer.toString(producer + 1), number));
            }
        }
        for (Shipped consumer : consumers) {
            for (String item : consumer.items()) {
                if (!missing.remove(item)) {
                    complaints.add("item " + item + " was shipped twice, or never put");
                }
            }
        }
        missing.stream().sorted().forEach(item -> complaints.add("item " + item + " was not shipped"));
        consumers(complaints);
        return complaints;
    }

    private void consumers(List<String> complaints) {
        for (int consumer = 0; consumer < consumers.size(); consumer++) {
            if (consumers.get(consumer).items().isEmpty()) {
                complaints.add("consumer " + (consumer + 1) + " has shipped nothing");
            }
        }
        List<String> afterTheKill =
                successor().items().subList(shippedBefore, successor().items().size());
        if (!afterTheKill.contains(left)) {
            complaints.add(
                    "the item that the dead process had taken, " + left + ", was not shipped by the one in its place");
        }
        if (free.compareTo(lease.plus(LATE)) > 0) {
            complaints.add("the lock was free after " + seconds(free) + ", with a lease of " + seconds(lease));
        }
    }

    /** {@return the items of each process, as lines} */
    List<String> table() {
        Table table = new Table("", "items", "waits");
        int last = consumers.size() - 1;
        for (int producer = 0; producer < producers.size(); producer++) {
            table.row(
                    "producer " + (producer + 1),
                    number(producers.get(producer).items()),
                    number(producers.get(producer).waits()));
        }
        for (int consumer = 0; consumer < last; consumer++) {
            table.row(
                    "consumer " + (consumer + 1),
                    number(consumers.get(consumer).items().size()),
                    number(consumers.get(consumer).waits()));
        }
        table.row("consumer " + (last + 1) + ", killed", number(shippedBefore), "");
        table.row(
                "in its place",
                number(successor().items().size() - shippedBefore),
                number(successor().waits()));
        return table.lines();
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1e3);
    }

    /** {@return the conclusion, if all expectations are met} */
    String verdict() {
        return "each of " + number(items())
                + " items was shipped once, also the one that the dead process had taken, and the lock was"
                + " free again " + seconds(free) + " after the kill, with a lease of " + seconds(lease) + ".";
    }
}
