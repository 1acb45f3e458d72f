package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/**
 * An owner's commands are submitted, end, and find their lane retired, in any order: each runs once, one at a time,
 * those of one thread in the order of submission; and when all have ended there is no lane left.
 */
class LaneStepsOrdersTest {

    /** Two threads of one owner, each with commands that end at once, so that the lane is retired repeatedly. */
    @Test
    void submit_againstRetirement() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            together(
                    () -> {
                        rig.submit("first");
                        rig.submit("second");
                    },
                    () -> rig.submit("other"));
            rig.requireRan(1, "first");
            rig.requireRan(1, "second");
            rig.requireRan(1, "other");
            rig.requireOrder("first", "second");
            rig.requireNoLane();
        });
    }

    /** While the reply to a command arrives, others are submitted: they wait for it, and none is forgotten. */
    @Test
    void submit_againstAnAnswer() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            LaneRig.Probe slow = rig.submitSlow("slow");
            together(slow::end, () -> {
                rig.submit("first");
                rig.submit("second");
            });
            rig.requireRan(1, "first");
            rig.requireRan(1, "second");
            rig.requireOrder("first", "second");
            rig.requireNoLane();
        });
    }

    /** The thread that retires a lane may remove it late; by then the owner may have another, which stays. */
    @Test
    void retirement_leavesTheNextLane() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            LaneRig.Probe[] slow = new LaneRig.Probe[1];
            together(() -> rig.submit("first"), () -> slow[0] = rig.submitSlow("slow"));
            rig.submit("behind");
            rig.requireRan(0, "behind");
            slow[0].end();
            rig.requireRan(1, "behind");
            rig.requireNoLane();
        });
    }

    /** A claim of a lane either gets it exclusively or fails. */
    @Test
    void claim_againstSubmitAndAnswer() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            LaneRig.Probe slow = rig.submitSlow("slow");
            boolean[] claimed = new boolean[1];
            together(slow::end, () -> claimed[0] = rig.claim("claimed"), () -> rig.submit("other"));
            rig.requireRan(claimed[0] ? 1 : 0, "claimed");
            rig.requireRan(1, "other");
            rig.requireNoLane();
        });
    }
}
