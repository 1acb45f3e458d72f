package dev.holdfast;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handoffs of one lock whose next owner has started and whose answer is still to come, in order. Each begins with the
 * hold that the one before it led to. They are on one connection and answered in order; when that ends, the chain has to be
 * settled as one. Guarded by the {@link WaitQueue}.
 */
final class Chain {
    /** Owners that start faster than Redis answers must not get ahead of it without end. */
    private static final int LONGEST = 256;

    private final Deque<Handoff> unanswered = new ArrayDeque<>();

    /** One was answered that it did not happen; so will those be that follow it. */
    private boolean broken;

    /** {@return whether the next owner of one more handoff may start before the answer} */
    boolean mayGrow() {
        return !broken && unanswered.size() < LONGEST;
    }

    void add(Handoff handoff) {
        unanswered.addLast(handoff);
    }

    /** False if it is no part of the chain, or not any more. */
    boolean remove(Handoff answered) {
        boolean removed = unanswered.removeFirstOccurrence(answered);
        broken &= !unanswered.isEmpty();
        return removed;
    }

    void snap() {
        broken = !unanswered.isEmpty();
    }

    /** {@return the latest handoff of this owner that is in flight in this epoch; null if none is} */
    @Nullable
    Handoff latestFrom(long ownerId, long epochNumber) {
        for (Iterator<Handoff> all = unanswered.descendingIterator(); all.hasNext(); ) {
            Handoff handoff = all.next();
            if (handoff.from().lane().ownerId() == ownerId && handoff.isInFlight(epochNumber)) {
                return handoff;
            }
        }
        return null;
    }

    List<Handoff> unanswered() {
        return List.copyOf(unanswered);
    }

    boolean isEmpty() {
        return unanswered.isEmpty();
    }
}
