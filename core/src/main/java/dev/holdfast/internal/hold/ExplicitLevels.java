package dev.holdfast.internal.hold;

import java.util.ArrayList;
import java.util.List;

/**
 * The levels of a hold, and which of them were acquired with an explicit lease. Created with the first of those; guarded
 * by the lane.
 *
 * <p>A level is identified by a number that the hold gives to no other level. Its place among the others would not do:
 * the removal of an older level, which its caller declined, changes it.
 */
final class ExplicitLevels {
    private final List<Level> oldestFirst = new ArrayList<>();

    private record Level(long number, boolean isExplicit) {}

    /** @param watched the number of older levels; every one of them was acquired with a watched lease */
    ExplicitLevels(int watched) {
        for (int i = 0; i < watched; i++) {
            oldestFirst.add(new Level(0, false));
        }
    }

    /** @param number greater than that of every older level, and than 0 */
    void add(long number, boolean isExplicit) {
        oldestFirst.add(new Level(number, isExplicit));
    }

    /**
     * Removes a level. If an unlock removed it before, as the newest one, the next older level is removed: the one
     * that the unlock was meant for.
     */
    void remove(long number) {
        int at = oldestFirst.size() - 1;
        while (at > 0 && oldestFirst.get(at).number > number) {
            at--;
        }
        oldestFirst.remove(at);
    }

    /** {@return whether every level was acquired with an explicit lease} */
    boolean areAll() {
        return oldestFirst.stream().allMatch(Level::isExplicit);
    }
}
