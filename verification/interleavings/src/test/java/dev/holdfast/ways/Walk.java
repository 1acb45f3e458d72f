package dev.holdfast.ways;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far one call walks.
 *
 * @param files the top-level types whose methods were entered, or those of types within them
 * @param calls how often a method was entered; a constructor and the body of a lambda are methods, too
 * @param methods how many different ones
 * @param moves how often a thread entered a method of another file than before
 */
record Walk(int files, int calls, int methods, int moves) {
    static Walk of(Map<Thread, List<Trace.Entry>> byThread) {
        Set<String> files = new HashSet<>();
        Set<Trace.Entry> methods = new HashSet<>();
        int calls = 0;
        int moves = 0;
        for (List<Trace.Entry> entries : byThread.values()) {
            String before = "";
            for (Trace.Entry entry : entries) {
                files.add(entry.file());
                methods.add(entry);
                moves += entry.file().equals(before) ? 0 : 1;
                before = entry.file();
            }
            calls += entries.size();
        }
        return new Walk(files.size(), calls, methods.size(), moves);
    }

    /** {@return whether no figure of that walk is larger} */
    boolean includes(Walk other) {
        return other.files <= files && other.calls <= calls && other.methods <= methods && other.moves <= moves;
    }
}
