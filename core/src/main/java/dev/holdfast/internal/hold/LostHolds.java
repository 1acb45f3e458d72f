package dev.holdfast.internal.hold;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lost holds that their owner has not unlocked yet, level by level. A hold is forgotten if its owner cannot unlock it
 * any more, because the owner is a handle or a thread that has died. When there are more than {@link #MOST_KEPT}, the
 * one that was checked longest ago is forgotten as well, since some owners never unlock and let the lease run out
 * instead. An unlock of a forgotten level throws, as for a lock that is not held. If Redis may have kept a forgotten
 * hold, its {@link OwnerLane} releases it as an orphan.
 */
final class LostHolds {
    private static final int MOST_KEPT = 1_000;

    /** How many are checked with each new one: more than one, so that the set shrinks. */
    private static final int CHECKED = 2;

    /** A lost hold, as this set knows it. */
    interface LostHold {
        /** {@return whether it has a level left, and an owner that can unlock it} */
        boolean isUnlockable();

        /** It is not kept any more: an unlock of it is not expected. */
        void forget();
    }

    /** In the order in which they will be checked. Guarded by itself. */
    private final Set<LostHold> holds = new LinkedHashSet<>();

    void add(LostHold lost) {
        if (lost.isUnlockable()) {
            synchronized (holds) {
                holds.add(lost);
            }
        } else {
            lost.forget();
        }
        for (int i = 0; i < CHECKED; i++) {
            checkNext();
        }
    }

    private void checkNext() {
        LostHold next;
        boolean stays;
        synchronized (holds) {
            Iterator<LostHold> all = holds.iterator();
            if (!all.hasNext()) {
                return;
            }
            next = all.next();
            all.remove();
            stays = next.isUnlockable() && holds.size() < MOST_KEPT;
            if (stays) {
                holds.add(next);
            }
        }
        if (!stays) {
            next.forget();
        }
    }

    /** {@return how many are kept, after each has been checked} */
    int size() {
        int before;
        synchronized (holds) {
            before = holds.size();
        }
        for (int i = 0; i < before; i++) {
            checkNext();
        }
        synchronized (holds) {
            return holds.size();
        }
    }
}
