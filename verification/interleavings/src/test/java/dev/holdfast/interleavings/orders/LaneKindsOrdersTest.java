package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
import org.junit.jupiter.api.Test;

/**
 * Calls of one owner for the two kinds of lock of one name begin and end in any order: the two kinds are never in
 * flight together, one of them is not rejected, and when all have ended there is no lane left.
 */
class LaneKindsOrdersTest {
    private static final Kind PLAIN = new PlainKind();
    private static final Kind FENCED = new FencedKind(null);

    @Test
    void plain_againstFenced() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            boolean[] used = new boolean[2];
            together(() -> used[0] = rig.use(PLAIN), () -> used[1] = rig.use(FENCED));
            require(used[0] || used[1], "one of them is not refused");
            require(rig.use(PLAIN) && rig.use(FENCED), "afterwards neither kind is refused");
            rig.requireNoLane();
        });
    }

    /** Kinds of one name that are two locks, though they share a channel, are not in each other's way. */
    @Test
    void twoLocks_ofOneName() {
        Kind permits = new ModelPermits(() -> 0, () -> {});
        Kind exclusive = new ModelRedis(() -> {});
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            boolean[] used = new boolean[2];
            together(() -> used[0] = rig.use(permits), () -> used[1] = rig.use(exclusive));
            require(used[0] && used[1], "neither is refused");
            rig.requireNoLane();
        });
    }

    /** Two calls of one kind, the second of which may find the lane retired by the call of the other kind. */
    @Test
    void plainTwice_againstFenced() {
        exploreClosely(() -> {
            LaneRig rig = new LaneRig();
            together(
                    () -> {
                        rig.use(PLAIN);
                        rig.use(PLAIN);
                    },
                    () -> rig.use(FENCED));
            rig.requireNoLane();
        });
    }
}
