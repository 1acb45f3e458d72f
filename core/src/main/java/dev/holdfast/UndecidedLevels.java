package dev.holdfast;

import java.util.ArrayList;
import java.util.List;

/**
 * How many levels of a hold were granted to futures that have neither accepted nor declined them, and what waits until that is
 * decided of all. Exists only while there is such a level; guarded by the lane.
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

    /** One of them is decided. {@return whether that was the last} */
    boolean decided() {
        count--;
        return count == 0;
    }

    List<Runnable> waiting() {
        return waiting;
    }
}
