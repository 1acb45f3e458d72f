package dev.holdfast.cli.top;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.found.LockScan;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What is in use, as it is watched: printed once, or shown on a terminal until the user ends it. */
public final class Top implements AutoCloseable {
    private final Watch watch;
    private final Holdfast holdfast;

    private Top(Watch watch, Holdfast holdfast) {
        this.watch = watch;
        this.holdfast = holdfast;
    }

    /**
     * Begins to watch.
     *
     * @param words names, and patterns of names; all names if there are none
     */
    public static Top start(LockScan scan, List<String> words, Holdfast holdfast) {
        return new Top(Watch.start(scan, Wanted.of(words), holdfast), holdfast);
    }

    /** {@return completed when something was read of a node; failed if each has failed} */
    public CompletableFuture<Void> firstSecond() {
        return watch.firstSecond();
    }

    /** {@return completed when each node has been searched once; failed if one cannot be} */
    public CompletableFuture<Void> firstRound() {
        return watch.firstRound();
    }

    /**
     * What is printed.
     *
     * @param notes what a user has to know about it
     * @param lines of the table, or of one object
     */
    public record Printed(List<String> notes, List<String> lines) {
        public Printed {
            notes = List.copyOf(notes);
            lines = List.copyOf(lines);
        }
    }

    /** {@return what was read by now} */
    public Printed printed(EntryOrder order, boolean isJson) {
        Snapshot snapshot = watch.snapshot();
        List<Entry> entries = order.sorted(snapshot.entries());
        return new Printed(
                snapshot.notes(),
                isJson
                        ? List.of(EntryJson.of(entries, snapshot.at()))
                        : EntryTable.lines(entries, snapshot.at(), EntryTable.UNLIMITED));
    }

    /**
     * Shows it until the user quits, or a signal ends it.
     *
     * @param hosts where Redis is, for the heading
     * @param signal the number of the one that the process has received, if any
     * @return the number of the signal that has ended it, which may have been typed; empty if the user quit
     * @throws IOException if the terminal is gone
     */
    public OptionalInt show(TopTerminal terminal, String hosts, EntryOrder order, Supplier<OptionalInt> signal)
            throws IOException {
        return new TopLoop(terminal, watch, holdfast, hosts).run(signal, order);
    }

    @Override
    public void close() {
        watch.close();
    }
}
