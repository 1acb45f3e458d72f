package dev.holdfast;

import java.util.BitSet;

/** Which levels of a hold were taken with an explicit lease. Made with the first such level; guarded by the lane. */
final class ExplicitLevels {
    private final BitSet explicit = new BitSet();

    void note(int level, boolean isExplicit) {
        explicit.set(level, isExplicit);
    }

    /** A level of so many is given back. Those above it move down by one. */
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
