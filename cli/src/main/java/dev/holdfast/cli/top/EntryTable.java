package dev.holdfast.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The table of {@code top} as text. Where it is too wide, columns are left out, and names and holders are cut. */
final class EntryTable {
    /** Wide enough for all. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    private static final String NOTHING = "-";
    private static final int GAP = 2;
    /** What is left of a name or a holder at least, before another column is left out. */
    private static final int LEAST = 12;

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter BEFORE = DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

    /** The columns, in their order; the one with the largest rank is left out first, and those of rank 0 stay. */
    private enum Column {
        KIND(3, false, (entry, now) -> entry.kind().word()),
        NAME(0, false, (entry, now) -> fullName(entry)),
        HOLDER(0, false, (entry, now) -> holders(entry)),
        SINCE(6, true, (entry, now) -> entry.since()
                .map(since -> clock(since, now))
                .orElse(NOTHING)),
        HELD(0, true, (entry, now) -> entry.since()
                .map(since -> age(Duration.between(since, now)))
                .orElse(NOTHING)),
        USE(2, false, (entry, now) -> entry.use()),
        LINE(
                1,
                true,
                (entry, now) -> entry.kind() == Entry.Kind.LATCH || entry.kind() == Entry.Kind.CONDITION
                        ? NOTHING
                        : Integer.toString(entry.waiting())),
        LEASE(4, true, (entry, now) -> entry.lease().map(EntryTable::age).orElse(NOTHING)),
        TOKEN(
                5,
                true,
                (entry, now) ->
                        entry.token().isPresent() ? Long.toString(entry.token().getAsLong()) : NOTHING);

        private final int rank;
        private final boolean isRight;

        @SuppressWarnings("ImmutableEnumChecker") // a function without a state
        private final BiFunction<Entry, Instant, String> cell;

        Column(int rank, boolean isRight, BiFunction<Entry, Instant, String> cell) {
            this.rank = rank;
            this.isRight = isRight;
            this.cell = cell;
        }
    }

    private EntryTable() {}

    /**
     * {@return the heading, and a line for each of the entries}
     *
     * @param now the time of the reading, to which the holds are measured
     * @param width of the lines, in cells, at most
     */
    static List<String> lines(List<Entry> entries, Instant now, int width) {
        List<Column> columns = new ArrayList<>(List.of(Column.values()));
        List<List<String>> cells = new ArrayList<>();
        for (Column column : columns) {
            List<String> texts = new ArrayList<>(List.of(column.name()));
            entries.forEach(entry -> texts.add(Cells.clean(column.cell.apply(entry, now))));
            cells.add(texts);
        }
        int[] widths = cells.stream()
                .mapToInt(texts -> texts.stream().mapToInt(Cells::width).max().orElse(0))
                .toArray();
        fit(columns, widths, width);
        return IntStream.rangeClosed(0, entries.size())
                .mapToObj(row -> line(columns, cells, widths, row, width))
                .toList();
    }

    /** Reduces the widths until all fit; a column that is left out has none. */
    private static void fit(List<Column> columns, int[] widths, int width) {
        int name = columns.indexOf(Column.NAME);
        int holder = columns.indexOf(Column.HOLDER);
        while (true) {
            int over = total(widths) - width;
            int spare = Math.max(0, widths[name] - LEAST) + Math.max(0, widths[holder] - LEAST);
            int last = lastOf(columns, widths);
            if (over <= spare || last < 0) {
                shorten(widths, name, holder, over);
                return;
            }
            widths[last] = 0;
        }
    }

    private static void shorten(int[] widths, int name, int holder, int over) {
        for (int left = over; left > 0 && widths[name] + widths[holder] > 2; left--) {
            widths[widths[name] >= widths[holder] ? name : holder]--;
        }
    }

    private static int lastOf(List<Column> columns, int[] widths) {
        return IntStream.range(0, widths.length)
                .filter(i -> widths[i] > 0 && columns.get(i).rank > 0)
                .reduce((one, other) -> columns.get(one).rank > columns.get(other).rank ? one : other)
                .orElse(-1);
    }

    private static int total(int[] widths) {
        int shown = (int) IntStream.of(widths).filter(width -> width > 0).count();
        return IntStream.of(widths).sum() + GAP * (shown - 1);
    }

    private static String line(List<Column> columns, List<List<String>> cells, int[] widths, int row, int width) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                String text = cells.get(i).get(row);
                line.append(line.isEmpty() ? "" : " ".repeat(GAP))
                        .append(columns.get(i).isRight ? Cells.right(text, widths[i]) : Cells.left(text, widths[i]));
            }
        }
        return Cells.cut(line.toString().stripTrailing(), width);
    }

    private static String fullName(Entry entry) {
        return entry.condition().isEmpty() ? entry.name() : entry.name() + " (" + entry.condition() + ")";
    }

    private static String holders(Entry entry) {
        int others = entry.holders().size() - 1;
        return entry.holders().stream()
                .findFirst()
                .map(first -> first.shown() + (others > 0 ? " +" + others : ""))
                .orElse(NOTHING);
    }

    /** {@return a time of this day, or else the day as well, in the time zone of the user} */
    static String clock(Instant time, Instant now) {
        boolean isToday = Duration.between(time, now).compareTo(Duration.ofHours(20)) < 0;
        return (isToday ? TODAY : BEFORE).format(time.atZone(ZoneId.systemDefault()));
    }

    /** {@return a duration in its two largest units} Clocks of machines differ: what has not begun yet is zero. */
    static String age(Duration duration) {
        long tenths = Math.max(0, duration.toMillis() / 100);
        long seconds = tenths / 10;
        if (seconds < 60) {
            return seconds + "." + tenths % 10 + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + two(seconds % 60) + "s";
        }
        return seconds < 86_400
                ? seconds / 3_600 + "h" + two(seconds / 60 % 60) + "m"
                : seconds / 86_400 + "d" + two(seconds / 3_600 % 24) + "h";
    }

    private static String two(long number) {
        return (number < 10 ? "0" : "") + number;
    }
}
