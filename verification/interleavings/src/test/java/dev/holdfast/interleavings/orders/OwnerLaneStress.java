package dev.holdfast.interleavings.orders;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The lanes of owners on real threads: each command runs once, one at a time, and no lane is left. */
final class OwnerLaneStress {
    private OwnerLaneStress() {}

    /** Two threads of one owner, whose commands end at once: the lane is retired repeatedly. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class SubmitAgainstRetirement {
        private final LaneRig rig = new LaneRig();
        private final Race race = new Race(
                () -> {
                    rig.submit("first");
                    rig.submit("second");
                },
                () -> rig.submit("other"),
                () -> {
                    rig.requireRan(1, "first");
                    rig.requireRan(1, "second");
                    rig.requireRan(1, "other");
                    rig.requireOrder("first", "second");
                    rig.requireNoLane();
                });

        @Actor
        public void one() {
            race.one();
        }

        @Actor
        public void other() {
            race.other();
        }

        @Arbiter
        public void check(L_Result result) {
            race.check(result);
        }
    }

    /** A command is submitted while the reply to another arrives. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class SubmitAgainstAnswer {
        private final LaneRig rig = new LaneRig();
        private final LaneRig.Probe slow = rig.submitSlow("slow");
        private final Race race = new Race(
                slow::end,
                () -> {
                    rig.submit("first");
                    rig.submit("second");
                },
                () -> {
                    rig.requireRan(1, "first");
                    rig.requireRan(1, "second");
                    rig.requireOrder("first", "second");
                    rig.requireNoLane();
                });

        @Actor
        public void one() {
            race.one();
        }

        @Actor
        public void other() {
            race.other();
        }

        @Arbiter
        public void check(L_Result result) {
            race.check(result);
        }
    }

    /** The thread that retires a lane may remove it late; by then the owner may have another, which stays. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class RetirementAgainstTheNextLane {
        private final LaneRig rig = new LaneRig();
        private LaneRig.@Nullable Probe slow;
        private final Race race = new Race(() -> rig.submit("first"), () -> slow = rig.submitSlow("slow"), () -> {
            rig.submit("behind");
            rig.requireRan(0, "behind");
            Objects.requireNonNull(slow).end();
            rig.requireRan(1, "behind");
            rig.requireNoLane();
        });

        @Actor
        public void one() {
            race.one();
        }

        @Actor
        public void other() {
            race.other();
        }

        @Arbiter
        public void check(L_Result result) {
            race.check(result);
        }
    }

    /** A claim of a lane either gets it exclusively or fails. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ClaimAgainstAnswer {
        private final LaneRig rig = new LaneRig();
        private final LaneRig.Probe slow = rig.submitSlow("slow");
        private boolean claimed;
        private final Race race = new Race(
                () -> {
                    slow.end();
                    rig.submit("other");
                },
                () -> claimed = rig.claim("claimed"),
                () -> {
                    rig.requireRan(claimed ? 1 : 0, "claimed");
                    rig.requireRan(1, "other");
                    rig.requireNoLane();
                });

        @Actor
        public void one() {
            race.one();
        }

        @Actor
        public void other() {
            race.other();
        }

        @Arbiter
        public void check(L_Result result) {
            race.check(result);
        }
    }

    /** The caller gives up while Redis replies: a granted lock is released. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class GrantAgainstLeave {
        private final OwnerRig rig = OwnerRig.trying();
        private final Race race = rig.client.race(() -> {}, rig.owner::leave, () -> {
            rig.client.quiet();
            rig.owner.releaseIfHeld();
            rig.client.requireNothingLeft();
        });

        @Actor
        public void one() {
            race.one();
        }

        @Actor
        public void other() {
            race.other();
        }

        @Arbiter
        public void check(L_Result result) {
            race.check(result);
        }
    }
}
