package dev.holdfast.internal.hold;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lost holds that their owner has not unlocked yet, level by level. A hold is forgotten if its owner cannot unlock it
 * any more, because the owner is a handle or a thread that has died. The oldest is also forgotten when there are more
 * than {@link #MOST_KEPT}, since some owners never unlock and let the lease run out instead. An unlock of a forgotten
 * level throws, as for a lock that is not held. If Redis may have kept a forgotten hold, its {@link OwnerLane} releases
 * it as an orphan.
 */
final class LostHolds {
    private static final int MOST_KEPT = 1_000;

    /** How many of the oldest are checked with each new one: more than one, so that the set shrinks. */
    private static final int LOOKED_AT = 2;

    /** Ordered from the oldest on. Guarded by itself. */
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
            checkOldest();
        }
    }

    private void checkOldest() {
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

    /** {@return how many are kept, after each has been checked} */
    int size() {
        int before;
        synchronized (holds) {
            before = holds.size();
        }
        for (int i = 0; i < before; i++) {
            checkOldest();
        }
        synchronized (holds) {
            return holds.size();
        }
    }
}
