package dev.holdfast;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lost holds that their owner has yet to unlock, level by level. Those whose owner cannot any more, because its thread has
 * died or it was a handle, are forgotten; so is the oldest when there are very many, for there are owners who never mean to
 * unlock and let a lease run out instead. An unlock of a forgotten level finds nothing that is held. What Redis may have kept of one
 * that is forgotten is released by its {@link OwnerLane}.
 */
final class LostHolds {
    private static final int MOST_KEPT = 1_000;

    /** How many of the oldest are looked at with each new one: more than one, so that the set shrinks. */
    private static final int LOOKED_AT = 2;

    /** The oldest first. Guarded by itself. */
    private final Set<Hold> holds = new LinkedHashSet<>();

    void add(Hold lost) {
        if (isOver(lost)) {
            lost.lane().forget(lost);
        } else {
            synchronized (holds) {
                holds.add(lost);
            }
        }
        for (int i = 0; i < LOOKED_AT; i++) {
            lookAtOldest();
        }
    }

    private void lookAtOldest() {
        Hold oldest;
        boolean over;
        synchronized (holds) {
            Iterator<Hold> all = holds.iterator();
            if (!all.hasNext()) {
                return;
            }
            oldest = all.next();
            all.remove();
            over = isOver(oldest) || holds.size() >= MOST_KEPT;
            if (!over) {
                holds.add(oldest);
            }
        }
        if (over) {
            oldest.lane().forget(oldest);
        }
    }

    private static boolean isOver(Hold lost) {
        return lost.isOfHandle() || lost.ownerIsDead() || lost.levels() == 0;
    }

    /** {@return how many are kept; looks at each} */
    int size() {
        int before;
        synchronized (holds) {
            before = holds.size();
        }
        for (int i = 0; i < before; i++) {
            lookAtOldest();
        }
        synchronized (holds) {
            return holds.size();
        }
    }
}
