package dev.holdfast.ways;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods that were entered while it was {@linkplain #begin recorded}, by the thread that entered them. */
public final class Trace {
    /** A method of a top-level type, or of a type within it. */
    record Entry(String file, String method) {}

    // All guarded by the class.
    /** The thread that records the others; null while nothing is recorded. */
    private static @Nullable Thread observer;

    private static final Map<Thread, List<Entry>> byThread = new LinkedHashMap<>();

    private Trace() {}

    /**
     * A method begins. Called by the rewritten classes.
     *
     * @param file the internal name of the top-level type
     * @param method its name, after the simple name of its type
     */
    public static synchronized void entered(String file, String method) {
        Thread current = Thread.currentThread();
        if (observer != null && observer != current) {
            byThread.computeIfAbsent(current, thread -> new ArrayList<>()).add(new Entry(file, method));
        }
    }

    /** From now on the methods are recorded that threads other than the calling one enter. */
    static synchronized void begin() {
        byThread.clear();
        observer = Thread.currentThread();
    }

    /** {@return the methods that each thread has entered since {@link #begin}, in order} */
    static synchronized Map<Thread, List<Entry>> end() {
        observer = null;
        return new LinkedHashMap<>(byThread);
    }

    /** {@return how often a method with this name was entered since {@link #begin}} */
    static synchronized long count(String method) {
        return byThread.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.method().startsWith(method + "("))
                .count();
    }
}
