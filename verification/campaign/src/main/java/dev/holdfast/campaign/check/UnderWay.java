package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Step.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps in progress, each at a place of its own. A place that becomes free is used for the next step, so that sets
 * of places stay small however long a history is.
 */
final class UnderWay {
    private final List<@Nullable Step> steps = new ArrayList<>();
    private final Set<Integer> reading = new LinkedHashSet<>();
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
        if (step.kind() == Kind.READS) {
            reading.add(place);
        }
    }

    int placeOf(Step step) {
        Integer place = places.get(step);
        if (place == null) {
            throw new IllegalArgumentException("a step must be under way, was " + step);
        }
        return place;
    }

    /** {@return whether a step is in progress, and its place is one of these} */
    boolean isAmong(Step step, BitSet chosen) {
        Integer place = places.get(step);
        return place != null && chosen.get(place);
    }

    void remove(int place) {
        places.remove(steps.set(place, null));
        reading.remove(place);
    }

    void forEachThatReads(Visitor visitor) {
        reading.forEach(place -> visit(place, visitor));
    }

    void forEach(Visitor visitor) {
        for (int place = 0; place < steps.size(); place++) {
            visit(place, visitor);
        }
    }

    private void visit(int place, Visitor visitor) {
        Step step = steps.get(place);
        if (step != null) {
            visitor.visit(place, step);
        }
    }
}
