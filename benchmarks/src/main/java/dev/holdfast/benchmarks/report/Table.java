package dev.holdfast.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of cells under titles; the first column is text, the others are numbers. */
final class Table {
    private final List<String> titles;
    private final List<List<String>> rows = new ArrayList<>();

    Table(List<String> titles) {
        this.titles = List.copyOf(titles);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if there are more or fewer cells than columns
     */
    Table row(List<String> cells) {
        if (cells.size() != titles.size()) {
            throw new IllegalArgumentException(
                    "a row must have a cell for each of " + titles.size() + " columns, was " + cells.size());
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** {@return the table for a terminal} */
    String plain() {
        List<Integer> widths = IntStream.range(0, titles.size())
                .map(column -> Math.max(
                        titles.get(column).length(),
                        rows.stream()
                                .mapToInt(row -> row.get(column).length())
                                .max()
                                .orElse(0)))
                .boxed()
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(aligned(titles, widths));
        lines.add(aligned(widths.stream().map("-"::repeat).toList(), widths));
        rows.forEach(row -> lines.add(aligned(row, widths)));
        return String.join("\n", lines) + "\n";
    }

    private static String aligned(List<String> cells, List<Integer> widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> {
                    String space =
                            " ".repeat(widths.get(column) - cells.get(column).length());
                    return column == 0 ? cells.get(column) + space : space + cells.get(column);
                })
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    /** {@return the table in Markdown} */
    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add(piped(titles));
        lines.add(piped(IntStream.range(0, titles.size())
                .mapToObj(column -> column == 0 ? "---" : "--:")
                .toList()));
        rows.forEach(row -> lines.add(piped(row)));
        return String.join("\n", lines) + "\n";
    }

    private static String piped(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
