package dev.holdfast.examples.shop;

import java.util.List;

/**
 * All sales that were made. The stock alone would not show an item that was sold twice: both sellers write the same
 * number.
 *
 * @param entries in the order in which they were written
 */
record Ledger(List<Entry> entries) {
    /** One sale. */
    record Entry(int process, int item) {
        String line() {
            return process + " " + item;
        }

        static Entry parse(String line) {
            int space = line.indexOf(' ');
            return new Entry(Integer.parseInt(line.substring(0, space)), Integer.parseInt(line.substring(space + 1)));
        }
    }

    static Ledger parse(List<String> lines) {
        return new Ledger(lines.stream().map(Entry::parse).toList());
    }

    int sold() {
        return entries.size();
    }

    int soldBy(int process) {
        return (int)
                entries.stream().filter(entry -> entry.process() == process).count();
    }

    /** The number of sales of items that had been sold before. */
    int oversold() {
        return sold() - (int) entries.stream().mapToInt(Entry::item).distinct().count();
    }
}
