package dev.holdfast.spring.locked;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The holds of each thread, innermost first. */
final class Holds {
    private static final ThreadLocal<Deque<Hold>> OF_THREAD = ThreadLocal.withInitial(ArrayDeque::new);

    private Holds() {}

    /** {@return those that have not ended} */
    static List<Hold> ofThread() {
        return OF_THREAD.get().stream().filter(hold -> !hold.hasEnded()).toList();
    }

    /** {@return the holds that belong to this thread itself} */
    static List<HeldLevel> ownedByThread() {
        return ofThread().stream()
                .filter(HeldLevel.class::isInstance)
                .map(HeldLevel.class::cast)
                .toList();
    }

    static void enter(Hold hold) {
        OF_THREAD.get().push(hold);
    }

    static void leave(Hold hold) {
        Deque<Hold> holds = OF_THREAD.get();
        holds.removeFirstOccurrence(hold);
        if (holds.isEmpty()) {
            OF_THREAD.remove();
        }
    }
}
