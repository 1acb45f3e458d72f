package dev.holdfast.campaign.check;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps that have begun and are not over, each in a place of its own; a place that is left is given to the next, so that
 * sets of them stay small however long a history is.
 */
final class UnderWay {
    private final List<@Nullable Step> steps = new ArrayList<>();
    private final IdentityHashMap<Step, Integer> places = new IdentityHashMap<>();

    interface Visitor {
        void visit(int place, Step step);
    }

    void add(Step step) {
        int place = steps.indexOf(null);
        if (place < 0) {
            place = steps.size();
            steps.add(step);
        } else {
            steps.set(place, step);
        }
        places.put(step, place);
    }

    int placeOf(Step step) {
        Integer place = places.get(step);
        if (place == null) {
            throw new IllegalArgumentException("a step must be under way, was " + step);
        }
        return place;
    }

    void remove(int place) {
        places.remove(steps.set(place, null));
    }

    void forEach(Visitor visitor) {
        for (int place = 0; place < steps.size(); place++) {
            Step step = steps.get(place);
            if (step != null) {
                visitor.visit(place, step);
            }
        }
    }
}
