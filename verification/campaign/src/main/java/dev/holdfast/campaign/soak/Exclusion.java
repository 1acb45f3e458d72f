package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.soak.SoakAnswer.Worked;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Judges what was held in one minute: never more of anything at once than there is, and the tokens of a lock grow from hold to hold.
 * Nothing is held over the end of a minute.
 */
final class Exclusion {
    private Exclusion() {}

    /**
     * {@return each excess}
     *
     * @param lossBegan the moment from which locks may be lost that are held, by a fault that deletes data; so there may be two holders
     *     from then on, but the tokens grow
     */
    static List<String> violations(List<Worked> minute, long lossBegan) {
        List<String> violations = new ArrayList<>();
        Map<String, List<Worked>> byName =
                minute.stream().filter(Worked::isHold).collect(Collectors.groupingBy(Worked::name));
        byName.values().forEach(holds -> {
            addExcess(holds, lossBegan, violations);
            addTokens(holds, violations);
        });
        return violations;
    }

    private static void addExcess(List<Worked> holds, long lossBegan, List<String> violations) {
        PriorityQueue<Worked> current = new PriorityQueue<>(Comparator.comparingLong(Worked::until));
        int weight = 0;
        for (Worked next : sorted(holds, Comparator.comparingLong(Worked::from))) {
            while (!current.isEmpty() && current.element().until() <= next.from()) {
                weight -= current.remove().weight();
            }
            current.add(next);
            weight += next.weight();
            if (weight > next.capacity() && next.from() < lossBegan) {
                violations.add("too many hold " + next.name() + " at once: " + current);
            }
        }
    }

    private static void addTokens(List<Worked> holds, List<String> violations) {
        Worked before = null;
        for (Worked next : sorted(holds, Comparator.comparingLong(Worked::until))) {
            if (before != null && next.token() > 0 && next.token() <= before.token()) {
                violations.add("a token of " + next.name() + " that is not larger: " + before + ", then " + next);
            }
            before = next;
        }
    }

    private static List<Worked> sorted(List<Worked> holds, Comparator<Worked> order) {
        return holds.stream().sorted(order).toList();
    }
}
