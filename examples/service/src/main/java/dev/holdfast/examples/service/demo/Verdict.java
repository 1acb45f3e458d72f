package dev.holdfast.examples.service.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a run showed what it is meant to show: with the lock, that every piece was sold once in spite of the
 * incidents; without it, that pieces are sold twice.
 *
 * @param complaints the expectations that the run did not meet
 */
record Verdict(List<String> complaints) {
    static Verdict on(Outcome outcome) {
        List<String> complaints = new ArrayList<>();
        if (outcome.unexpected() > 0) {
            complaints.add(outcome.unexpected() + " requests failed");
        }
        if (outcome.left() != 0) {
            complaints.add(outcome.left() + " pieces are left");
        }
        if (outcome.plan().locked()) {
            judgeSales(outcome, complaints);
            judgeIncidents(outcome, complaints);
        } else if (outcome.soldAgain() == 0) {
            complaints.add("no piece was sold twice, although there was no lock: the run shows nothing");
        }
        return new Verdict(List.copyOf(complaints));
    }

    boolean isGood() {
        return complaints.isEmpty();
    }

    private static void judgeSales(Outcome outcome, List<String> complaints) {
        if (outcome.soldAgain() > 0) {
            complaints.add(outcome.soldAgain() + " sales were of a piece that had been sold before");
        }
        if (outcome.sold() != outcome.plan().stock()) {
            complaints.add(
                    outcome.sold() + " pieces were sold of " + outcome.plan().stock());
        }
    }

    private static void judgeIncidents(Outcome outcome, List<String> complaints) {
        if (outcome.killed().isEmpty()) {
            complaints.add("no instance was killed in the middle of a sale");
        } else if (outcome.killed().get().compareTo(outcome.plan().longestStandstill()) > 0) {
            complaints.add("the lock of the killed instance stayed for too long");
        }
        if (outcome.stopped().isEmpty()) {
            complaints.add("no instance was stopped in the middle of a sale");
        } else if (outcome.refused() == 0) {
            complaints.add("the stopped instance's late sale was not refused");
        }
        outcome.instances().stream()
                .filter(instance -> instance.sold() == 0)
                .forEach(instance -> complaints.add(instance.name() + " has sold nothing"));
    }
}
