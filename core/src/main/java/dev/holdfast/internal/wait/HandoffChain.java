package dev.holdfast.internal.wait;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handoffs of one lock whose receiver has started and whose reply is still to come, in order. Each starts from the
 * hold that the one before it led to. All are sent on one connection and answered in order; when that connection ends,
 * the chain has to be settled as a whole. Guarded by the {@link WaitQueue}.
 *
 * @param <H> the handoffs
 */
final class HandoffChain<H extends HandoffChain.Link> {
    /** A handoff, as its chain knows it. */
    interface Link {
        /** {@return the owner that handed the lock off} */
        long fromOwnerId();

        /** {@return whether it may still be answered in this epoch} */
        boolean isInFlight(long epochNumber);
    }

    /** Bounds how far the owners can get ahead of Redis when they start faster than it replies. */
    private static final int LONGEST = 256;

    /** Null until there is one: most queues never hand off. */
    private @Nullable Deque<H> handoffs;

    /** Whether a reply said that a handoff did not take place; the replies to those after it will say the same. */
    private boolean broken;

    /** {@return whether the receiver of one more handoff may start before the reply} */
    boolean mayGrow() {
        return !broken && size() < LONGEST;
    }

    void add(H handoff) {
        if (handoffs == null) {
            handoffs = new ArrayDeque<>();
        }
        handoffs.addLast(handoff);
    }

    /** Removes the handoff. Returns false if it is not part of the chain, or not any more. */
    boolean remove(H answered) {
        boolean removed = handoffs != null && handoffs.removeFirstOccurrence(answered);
        broken &= !isEmpty();
        return removed;
    }

    void markBroken() {
        broken = !isEmpty();
    }

    /** {@return the latest handoff from this owner that is in flight in this epoch; null if there is none} */
    @Nullable
    H latestFrom(long ownerId, long epochNumber) {
        if (handoffs == null) {
            return null;
        }
        for (Iterator<H> all = handoffs.descendingIterator(); all.hasNext(); ) {
            H handoff = all.next();
            if (handoff.fromOwnerId() == ownerId && handoff.isInFlight(epochNumber)) {
                return handoff;
            }
        }
        return null;
    }

    /** {@return whether any handoff of the chain may still be answered in this epoch} */
    boolean isInFlight(long epochNumber) {
        return handoffs != null && !handoffs.isEmpty() && handoffs.getLast().isInFlight(epochNumber);
    }

    List<H> unanswered() {
        return handoffs == null ? List.of() : List.copyOf(handoffs);
    }

    boolean isEmpty() {
        return size() == 0;
    }

    private int size() {
        return handoffs == null ? 0 : handoffs.size();
    }
}
