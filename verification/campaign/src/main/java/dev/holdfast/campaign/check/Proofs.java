package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps still to come that prove a hold: it was renewed, left or given back, as it can only be while it is there. A hold
 * with such a step ahead cannot be over before, for it never comes back; whoever follows it no further than that loses
 * nothing. Without this, a search through a pause of the server follows each row in which the leases of those who then waited
 * may have ended one after the other.
 */
final class Proofs {
    private final UnderWay underWay;
    private final Map<Op, List<Step>> ahead = new HashMap<>();

    Proofs(List<Step> steps, UnderWay underWay) {
        this.underWay = underWay;
        steps.forEach(step -> of(step).add(step));
    }

    /** The step has happened, and proves nothing of what comes. */
    void over(Step step) {
        of(step).remove(step);
    }

    private List<Step> of(Step step) {
        return step.hold() == null
                ? new ArrayList<>()
                : ahead.computeIfAbsent(step.hold(), unused -> new ArrayList<>());
    }

    /** {@return whether something is still to come for which this hold must be there} */
    boolean isNeeded(LockState state, BitSet done) {
        return ahead.getOrDefault(state.hold(), List.of()).stream().anyMatch(step -> !underWay.isAmong(step, done));
    }
}
