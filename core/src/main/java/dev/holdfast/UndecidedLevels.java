package dev.holdfast;

import java.util.ArrayList;
import java.util.List;

/**
 * The number of levels of a hold that were granted to futures which have neither accepted nor declined them, and the
 * actions that wait until all of these are decided. Exists only while there is such a level; guarded by the lane.
 */
final class UndecidedLevels {
    private final List<Runnable> waiting = new ArrayList<>(0);
    private int count;

    void add() {
        count++;
    }

    void whenAllDecided(Runnable action) {
        waiting.add(action);
    }

    /** {@return whether the level that is decided now was the last undecided one} */
    boolean decided() {
        count--;
        return count == 0;
    }

    List<Runnable> waiting() {
        return waiting;
    }
}
