package dev.holdfast;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lost holds that their owner has yet to unlock, level by level. Those whose owner cannot any more, because its thread has
 * died or it was a handle, are forgotten; each new loss is an occasion to look for them.
 */
final class LostHolds {
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();

    void add(Hold lost) {
        holds.add(lost);
        holds.removeIf(LostHolds::isOver);
    }

    private static boolean isOver(Hold lost) {
        if (lost.isOfHandle() || lost.ownerIsDead()) {
            lost.lane().forget(lost);
            return true;
        }
        return lost.levels() == 0;
    }

    int size() {
        holds.removeIf(LostHolds::isOver);
        return holds.size();
    }
}
