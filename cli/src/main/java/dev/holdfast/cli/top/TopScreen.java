package dev.holdfast.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What {@code top} shows on a terminal, line by line. */
final class TopScreen {
    /** How a line is drawn. */
    enum Style {
        PLAIN,
        HEADING,
        SELECTED,
        WARNING,
        FAINT
    }

    /** A line of the screen. */
    record Line(String text, Style style) {}

    private static final String TABLE_KEYS =
            "up, down: select  enter: look  o: order  /: filter  f: force open  q: quit";
    private static final String DETAIL_KEYS = "esc: back  up, down: select  f: force open  q: quit";

    private final TopView view;
    private final Snapshot snapshot;
    private final int width;
    private final int height;
    private final List<Line> lines = new ArrayList<>();

    private TopScreen(TopView view, Snapshot snapshot, int width, int height) {
        this.view = view;
        this.snapshot = snapshot;
        this.width = width;
        this.height = height;
    }

    /**
     * {@return the lines, as many as the screen is high, none of them wider}
     *
     * @param hosts where Redis is
     */
    static List<Line> lines(TopView view, Snapshot snapshot, String hosts, int width, int height) {
        return new TopScreen(view, snapshot, width, height).lines(hosts);
    }

    private List<Line> lines(String hosts) {
        List<Entry> shown = view.shown(snapshot);
        List<Line> bottom = bottom();
        add(title(shown.size(), hosts), Style.HEADING);
        snapshot.notes().forEach(note -> add(Cells.clean(note), Style.WARNING));
        int room = Math.max(0, height - bottom.size());
        if (view.mode() == TopView.Mode.DETAIL) {
            detail(room);
        } else {
            table(shown, room);
        }
        List<Line> screen = new ArrayList<>(lines.subList(0, Math.min(lines.size(), room)));
        while (screen.size() < room) {
            screen.add(new Line("", Style.PLAIN));
        }
        screen.addAll(bottom);
        return List.copyOf(screen.subList(Math.max(0, screen.size() - height), screen.size()));
    }

    private void add(String text, Style style) {
        lines.add(new Line(Cells.cut(text, width), style));
    }

    private String title(int shown, String hosts) {
        int all = snapshot.entries().size();
        return "holdfast top  " + EntryTable.clock(snapshot.at(), snapshot.at()) + "  "
                + (shown == all ? Integer.toString(all) : shown + " of " + all) + " in use  "
                + view.order().words()
                + (view.filter().isEmpty() ? "" : "  filter " + Cells.clean(view.filter())) + "  " + hosts;
    }

    private List<Line> bottom() {
        String text =
                switch (view.mode()) {
                    case FILTER -> "filter: " + view.filter() + "_   (enter: keep  esc: all)";
                    case QUESTION -> view.question().map(Forcing::question).orElse("");
                    case TABLE -> view.message().isEmpty() ? TABLE_KEYS : view.message();
                    case DETAIL -> view.message().isEmpty() ? DETAIL_KEYS : view.message();
                };
        boolean isUrgent =
                view.mode() == TopView.Mode.QUESTION || !view.message().isEmpty();
        return wrapped(text, isUrgent ? Style.WARNING : Style.FAINT);
    }

    private void table(List<Entry> shown, int room) {
        List<String> table = EntryTable.lines(shown, snapshot.at(), width);
        add(table.get(0), Style.HEADING);
        int rows = Math.max(1, room - lines.size());
        int selected = view.index(shown);
        int first = Math.max(0, Math.min(selected - rows / 2, shown.size() - rows));
        for (int i = first; i < Math.min(shown.size(), first + rows); i++) {
            boolean isSelected = i == selected;
            add(
                    isSelected ? Cells.left(table.get(i + 1), width) : table.get(i + 1),
                    isSelected ? Style.SELECTED : snapshot.isLost() ? Style.FAINT : Style.PLAIN);
        }
    }

    private void detail(int room) {
        view.entry(snapshot).ifPresentOrElse(entry -> detail(entry, room), () -> add("not in use now", Style.PLAIN));
    }

    /** All that hold it, and the line; where that is too long, from the selected holder on. */
    private void detail(Entry entry, int room) {
        EntryTable.lines(List.of(entry), snapshot.at(), width)
                .forEach(line -> add(line, lines.isEmpty() ? Style.HEADING : Style.PLAIN));
        add("", Style.PLAIN);
        List<Line> all = new ArrayList<>();
        int selected = Math.min(view.row(), entry.holders().size() - 1);
        int before = 0;
        for (int i = 0; i < entry.holders().size(); i++) {
            before = i == selected ? all.size() : before;
            all.addAll(wrapped(holder(entry.holders().get(i)), i == selected ? Style.SELECTED : Style.PLAIN));
        }
        all.add(new Line("", Style.PLAIN));
        all.add(new Line(
                entry.waiting() + (entry.kind() == Entry.Kind.CONDITION ? " wait" : " in line"), Style.HEADING));
        for (int i = 0; i < entry.line().size(); i++) {
            all.addAll(wrapped(waiter(i + 1, entry.line().get(i)), Style.PLAIN));
        }
        int rows = Math.max(1, room - lines.size());
        int first = Math.max(0, Math.min(before, all.size() - rows));
        lines.addAll(all.subList(first, all.size()));
    }

    private List<Line> wrapped(String text, Style style) {
        return Cells.wrapped(Cells.clean(text), width).stream()
                .map(line -> new Line(line, style))
                .toList();
    }

    private String holder(Entry.Holder holder) {
        StringBuilder text = new StringBuilder(holder.shown());
        holder.mode().ifPresent(mode -> text.append("  ").append(mode));
        text.append(holder.number().isPresent() ? "  permits " : "  levels ").append(holder.amount());
        holder.number().ifPresent(number -> text.append("  number ").append(number));
        holder.since().ifPresent(since -> text.append("  held ")
                .append(age(since))
                .append("  since ")
                .append(since));
        holder.lease().ifPresent(lease -> text.append("  lease ").append(EntryTable.age(lease)));
        holder.token().ifPresent(token -> text.append("  token ").append(token));
        return text.append("  owner ").append(holder.owner()).toString();
    }

    private String age(Instant since) {
        return EntryTable.age(Duration.between(since, snapshot.at()));
    }

    private static String waiter(int place, Entry.Waiter waiter) {
        return place + ".  " + waiter.label().map(label -> label + "  owner ").orElse("") + waiter.owner()
                + (waiter.wants().isEmpty() ? "" : "  " + waiter.wants());
    }
}
