package dev.holdfast.campaign.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What one checker found.
 *
 * @param rule the promise, in a few words
 * @param judged how many things were looked at; a rule that judged nothing has shown nothing
 * @param excused how many of them would be violations but for a window that the guarantees name
 * @param violations in the order of finding
 * @param undecided what could not be judged, in words; it is not known to be fine
 */
public record Verdict(String rule, long judged, long excused, List<Violation> violations, List<String> undecided) {
    public Verdict {
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
    }

    /** How a verdict ends. */
    public enum Decision {
        /** Nothing judged breaks the promise. */
        KEPT,
        /** Something does. */
        VIOLATED,
        /** Nothing that could be judged does, but not all could. */
        UNDECIDED
    }

    public Decision decision() {
        if (!violations.isEmpty()) {
            return Decision.VIOLATED;
        }
        return undecided.isEmpty() ? Decision.KEPT : Decision.UNDECIDED;
    }

    /** What a checker has found so far. For one thread. */
    static final class Draft {
        private final String rule;
        private final List<Violation> violations = new ArrayList<>();
        private final List<String> undecided = new ArrayList<>();
        private long judged;
        private long excused;

        Draft(String rule) {
            this.rule = rule;
        }

        void judged(long count) {
            judged += count;
        }

        void excused() {
            excused++;
        }

        void violated(long at, String subject, String what) {
            violations.add(new Violation(at, subject, what));
        }

        void undecided(String what) {
            undecided.add(what);
        }

        Verdict verdict() {
            return new Verdict(rule, judged, excused, violations, undecided);
        }
    }
}
