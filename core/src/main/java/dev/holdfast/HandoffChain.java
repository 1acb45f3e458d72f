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
final class HandoffChain {
    /** Owners that start faster than Redis answers must not get ahead of it without end. */
    private static final int LONGEST = 256;

    /** Null until there is one: most queues never hand on. */
    private @Nullable Deque<Handoff> handoffs;

    /** One was answered that it did not happen; so will those be that follow it. */
    private boolean broken;

    /** {@return whether the next owner of one more handoff may start before the answer} */
    boolean mayGrow() {
        return !broken && size() < LONGEST;
    }

    void add(Handoff handoff) {
        if (handoffs == null) {
            handoffs = new ArrayDeque<>();
        }
        handoffs.addLast(handoff);
    }

    /** False if it is no part of the chain, or not any more. */
    boolean remove(Handoff answered) {
        boolean removed = handoffs != null && handoffs.removeFirstOccurrence(answered);
        broken &= !isEmpty();
        return removed;
    }

    void markBroken() {
        broken = !isEmpty();
    }

    /** {@return the latest handoff of this owner that is in flight in this epoch; null if none is} */
    @Nullable
    Handoff latestFrom(long ownerId, long epochNumber) {
        if (handoffs == null) {
            return null;
        }
        for (Iterator<Handoff> all = handoffs.descendingIterator(); all.hasNext(); ) {
            Handoff handoff = all.next();
            if (handoff.from().lane().ownerId() == ownerId && handoff.isInFlight(epochNumber)) {
                return handoff;
            }
        }
        return null;
    }

    /** {@return whether any of it may still be answered in this epoch} */
    boolean isInFlight(long epochNumber) {
        return handoffs != null && !handoffs.isEmpty() && handoffs.getLast().isInFlight(epochNumber);
    }

    List<Handoff> unanswered() {
        return handoffs == null ? List.of() : List.copyOf(handoffs);
    }

    boolean isEmpty() {
        return size() == 0;
    }

    private int size() {
        return handoffs == null ? 0 : handoffs.size();
    }
}
