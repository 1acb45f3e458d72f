package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The later steps that prove a hold: it was renewed, extended, re-entered, inspected or released, which is possible
 * only while it exists. A hold with such a step ahead cannot have ended before, since it never comes back. So the
 * search need not follow the cases in which it has ended. Otherwise, for a pause of the server, the search would follow
 * every order in which the leases of the callers that waited may have ended one after the other.
 */
final class Proofs {
    private final UnderWay underWay;
    private final Map<Op, List<Step>> ahead = new HashMap<>();

    Proofs(List<Step> steps, UnderWay underWay) {
        this.underWay = underWay;
        steps.forEach(step -> of(step).add(step));
    }

    /** The step is over, and proves nothing about later times. */
    void over(Step step) {
        of(step).remove(step);
    }

    private List<Step> of(Step step) {
        return step.hold() == null
                ? new ArrayList<>()
                : ahead.computeIfAbsent(step.hold(), unused -> new ArrayList<>());
    }

    /** {@return whether a later step requires this hold} */
    boolean isNeeded(LockState state, BitSet done) {
        return ahead.getOrDefault(state.hold(), List.of()).stream().anyMatch(step -> !underWay.isAmong(step, done));
    }
}
