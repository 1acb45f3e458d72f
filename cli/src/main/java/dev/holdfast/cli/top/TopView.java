package dev.holdfast.cli.top;

import dev.holdfast.cli.found.NamePattern;
import java.util.List;
import java.util.Optional;

/**
 * What the user of {@code top} has chosen to see. Each key makes another one of it: nothing is done here.
 *
 * @param mode what the keys are for
 * @param order of the table
 * @param filter a pattern, or a part of names; empty for all
 * @param selected the entry that the keys are about; empty before one was read
 * @param row which holder is selected, where one is looked at; else 0
 * @param message what has come of the last key; may be empty
 * @param question what is asked, in that mode
 */
record TopView(
        Mode mode,
        EntryOrder order,
        String filter,
        Optional<Entry.Id> selected,
        int row,
        String message,
        Optional<Forcing> question) {
    /** What the keys are for. */
    enum Mode {
        /** All entries are shown. */
        TABLE,
        /** One entry is looked at. */
        DETAIL,
        /** The filter is being typed. */
        FILTER,
        /** A question is to be answered. */
        QUESTION
    }

    /** What is to be done besides. */
    enum Action {
        NOTHING,
        /** The program is to end. */
        QUIT,
        /** The program is to end as by a signal. */
        INTERRUPT,
        /** What the question has named is to be forced open. */
        FORCE
    }

    /** What a key leads to. */
    record Step(TopView view, Action action) {}

    private static final int PAGE = 10;

    static TopView initial(EntryOrder order) {
        return new TopView(Mode.TABLE, order, "", Optional.empty(), 0, "", Optional.empty());
    }

    /** {@return the entries that pass the filter, in order} */
    List<Entry> shown(Snapshot snapshot) {
        if (filter.isEmpty()) {
            return order.sorted(snapshot.entries());
        }
        boolean isPattern = filter.chars().anyMatch(one -> "*?[\\".indexOf(one) >= 0);
        NamePattern pattern = NamePattern.of(isPattern ? filter : "*" + filter + "*");
        return order.sorted(snapshot.entries().stream()
                .filter(entry -> pattern.matches(entry.name()))
                .toList());
    }

    /** {@return where the selected entry is among those shown; the first one, if it is not there} */
    int index(List<Entry> shown) {
        for (int i = 0; i < shown.size(); i++) {
            if (selected.equals(Optional.of(shown.get(i).id()))) {
                return i;
            }
        }
        return 0;
    }

    /** {@return the entry that is selected, or looked at; empty if there is none any more} */
    Optional<Entry> entry(Snapshot snapshot) {
        List<Entry> shown = mode == Mode.DETAIL ? snapshot.entries() : shown(snapshot);
        Optional<Entry> same = shown.stream()
                .filter(entry -> selected.equals(Optional.of(entry.id())))
                .findFirst();
        return mode == Mode.DETAIL ? same : same.or(() -> shown.stream().findFirst());
    }

    Step press(Key key, Snapshot snapshot) {
        if (key.name() == Key.Name.INTERRUPT) {
            return new Step(this, Action.INTERRUPT);
        }
        return switch (mode) {
            case TABLE -> inTable(key, snapshot);
            case DETAIL -> inDetail(key, snapshot);
            case FILTER -> step(inFilter(key));
            case QUESTION -> answered(key);
        };
    }

    private Step inTable(Key key, Snapshot snapshot) {
        List<Entry> shown = shown(snapshot);
        int at = index(shown);
        return switch (key.name()) {
            case UP -> step(select(shown, at - 1));
            case DOWN -> step(select(shown, at + 1));
            case PAGE_UP -> step(select(shown, at - PAGE));
            case PAGE_DOWN -> step(select(shown, at + PAGE));
            case HOME -> step(select(shown, 0));
            case END -> step(select(shown, shown.size() - 1));
            case ENTER -> step(look(snapshot, ""));
            case ESCAPE -> step(filter(""));
            case CHARACTER ->
                switch (key.character()) {
                    case 'k' -> step(select(shown, at - 1));
                    case 'j' -> step(select(shown, at + 1));
                    case 'o' -> step(with(Mode.TABLE, order.next(), filter, ""));
                    case '/' -> step(with(Mode.FILTER, order, filter, ""));
                    case 'f' -> step(ask(snapshot));
                    case 'q' -> new Step(this, Action.QUIT);
                    default -> step(with(mode, order, filter, ""));
                };
            default -> step(this);
        };
    }

    private Step inDetail(Key key, Snapshot snapshot) {
        int last = entry(snapshot).map(entry -> entry.holders().size() - 1).orElse(0);
        return switch (key.name()) {
            case UP -> step(row(row - 1, last));
            case DOWN -> step(row(row + 1, last));
            case PAGE_UP -> step(row(row - PAGE, last));
            case PAGE_DOWN -> step(row(row + PAGE, last));
            case HOME -> step(row(0, last));
            case END -> step(row(last, last));
            case ESCAPE, ENTER, BACKSPACE -> step(with(Mode.TABLE, order, filter, ""));
            case CHARACTER ->
                switch (key.character()) {
                    case 'k' -> step(row(row - 1, last));
                    case 'j' -> step(row(row + 1, last));
                    case 'f' -> step(ask(snapshot));
                    case 'q' -> new Step(this, Action.QUIT);
                    default -> step(with(mode, order, filter, ""));
                };
            default -> step(this);
        };
    }

    private TopView inFilter(Key key) {
        return switch (key.name()) {
            case ENTER -> with(Mode.TABLE, order, filter, "");
            case ESCAPE -> filter("");
            case BACKSPACE ->
                with(
                        mode,
                        order,
                        filter.isEmpty() ? "" : filter.substring(0, filter.offsetByCodePoints(filter.length(), -1)),
                        "");
            case CHARACTER -> with(mode, order, filter + Character.toString(key.character()), "");
            default -> this;
        };
    }

    private Step answered(Key key) {
        boolean isYes = key.name() == Key.Name.CHARACTER && (key.character() == 'y' || key.character() == 'Y');
        return isYes
                ? new Step(with(Mode.TABLE, order, filter, "forcing it open.."), Action.FORCE)
                : step(with(Mode.TABLE, order, filter, "nothing was done"));
    }

    /** The holders are those that are shown now: the question is about them, whichever hold it when it is answered. */
    private TopView ask(Snapshot snapshot) {
        Optional<Entry> found = entry(snapshot);
        if (found.isEmpty()) {
            return with(mode, order, filter, "there is nothing to force open");
        }
        Entry entry = found.get();
        if (entry.kind() == Entry.Kind.LATCH || entry.kind() == Entry.Kind.CONDITION) {
            return with(mode, order, filter, "a " + entry.kind().word() + " is not held: it cannot be forced open");
        }
        if (entry.holders().isEmpty()) {
            return with(mode, order, filter, "nobody holds it");
        }
        if (entry.kind() != Entry.Kind.SEMAPHORE) {
            return ask(new Forcing(entry, entry.holders()));
        }
        if (mode == Mode.TABLE && entry.holders().size() > 1) {
            return look(snapshot, "several hold permits: select the one that is to lose them, and press f");
        }
        int holder = mode == Mode.DETAIL ? Math.min(row, entry.holders().size() - 1) : 0;
        return ask(new Forcing(entry, List.of(entry.holders().get(holder))));
    }

    private TopView ask(Forcing forcing) {
        return new TopView(
                Mode.QUESTION, order, filter, Optional.of(forcing.entry().id()), 0, "", Optional.of(forcing));
    }

    private TopView look(Snapshot snapshot, String why) {
        return entry(snapshot)
                .map(entry ->
                        new TopView(Mode.DETAIL, order, filter, Optional.of(entry.id()), 0, why, Optional.empty()))
                .orElse(this);
    }

    private TopView select(List<Entry> shown, int at) {
        int last = shown.size() - 1;
        Optional<Entry.Id> id = shown.isEmpty()
                ? Optional.empty()
                : Optional.of(shown.get(Math.max(0, Math.min(at, last))).id());
        return new TopView(mode, order, filter, id, 0, "", Optional.empty());
    }

    private TopView row(int at, int last) {
        return new TopView(mode, order, filter, selected, Math.max(0, Math.min(at, last)), "", Optional.empty());
    }

    private TopView filter(String pattern) {
        return with(Mode.TABLE, order, pattern, "");
    }

    /** {@return this with a message} */
    TopView say(String words) {
        return new TopView(mode, order, filter, selected, row, words, question);
    }

    private TopView with(Mode other, EntryOrder ordered, String pattern, String words) {
        return new TopView(other, ordered, pattern, selected, row, words, question);
    }

    private static Step step(TopView view) {
        return new Step(view, Action.NOTHING);
    }
}
