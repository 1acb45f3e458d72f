package dev.holdfast;

import java.util.BitSet;

/**
 * The levels of a hold that were acquired with an explicit lease. Created with the first of them; guarded by the lane.
 */
final class ExplicitLevels {
    private final BitSet explicit = new BitSet();

    void note(int level, boolean isExplicit) {
        explicit.set(level, isExplicit);
    }

    /** Removes one of {@code levels} levels. Those above it move down by one. */
    void forget(int level, int levels) {
        for (int i = level; i < levels; i++) {
            explicit.set(i, explicit.get(i + 1));
        }
        explicit.clear(levels);
    }

    int count() {
        return explicit.cardinality();
    }
}
