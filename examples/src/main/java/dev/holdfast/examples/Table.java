package dev.holdfast.examples;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Columns of text, each as wide as its widest cell and aligned to the right. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final List<Integer> widths;

    /** @param titles of the columns */
    public Table(String... titles) {
        widths = new ArrayList<>(Collections.nCopies(titles.length, 0));
        row(titles);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if there are more or fewer cells than columns
     */
    public Table row(String... cells) {
        if (cells.length != widths.size()) {
            throw new IllegalArgumentException(
                    "a row must have a cell for each of " + widths.size() + " columns, was " + cells.length);
        }
        for (int i = 0; i < cells.length; i++) {
            widths.set(i, Math.max(widths.get(i), cells[i].length()));
        }
        rows.add(List.of(cells));
        return this;
    }

    /** {@return the titles, a rule, and the rows} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(rows.stream().map(this::line).toList());
        lines.add(1, line(widths.stream().map("-"::repeat).toList()));
        return lines;
    }

    private String line(List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(i -> " ".repeat(widths.get(i) - cells.get(i).length()) + cells.get(i))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }
}
