package dev.holdfast.campaign.check;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of one checker.
 *
 * @param rule the name of the rule
 * @param judged how many cases were judged; a rule that judged none has shown nothing
 * @param excused how many of them would be violations but for a window that the guarantees name
 * @param violations in the order of detection
 * @param undecided a description of each case that could not be decided, and is not known to be correct
 */
public record Verdict(String rule, long judged, long excused, List<Violation> violations, List<String> undecided) {
    public Verdict {
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
    }

    /** The decision of a verdict. */
    public enum Decision {
        /** No case violates the rule. */
        KEPT,
        /** At least one case violates the rule. */
        VIOLATED,
        /** No decided case violates the rule, but not all could be decided. */
        UNDECIDED
    }

    public Decision decision() {
        if (!violations.isEmpty()) {
            return Decision.VIOLATED;
        }
        return undecided.isEmpty() ? Decision.KEPT : Decision.UNDECIDED;
    }

    /** The results of a checker so far. Confined to one thread. */
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
