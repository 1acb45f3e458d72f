package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The holds of a client on real threads: a released hold is not renewed, any other is, and a loss is detected. */
final class HoldStress {
    private HoldStress() {}

    /** A hold is released while it is renewed. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstRenewal {
        private final OwnerRig rig = OwnerRig.holding();
        private final Race race = rig.client.race(rig.owner::release, rig::renew, () -> {
            rig.client.quiet();
            rig.owner.requireReleased();
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

    /** A hold is re-entered and unlocked once meanwhile: the outer level still holds it, and it is renewed. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReentryAgainstRenewal {
        private final OwnerRig rig = OwnerRig.holding();
        private final ModelClient.Owner inner = rig.owner.again();
        private final Race race = rig.client.race(
                () -> {
                    inner.acquire();
                    inner.release();
                },
                rig::renew,
                () -> {
                    rig.client.quiet();
                    rig.client.pass(ModelClient.WATCHDOG.multipliedBy(2));
                    require(rig.owner.isHeld(), "the outer level is held and renewed");
                    rig.owner.release();
                    rig.client.quiet();
                    rig.owner.requireReleased();
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

    /** The key is gone while its hold is released and renewed: it is reported lost, or was released before. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class DeletionAgainstRenewal {
        private final OwnerRig rig = OwnerRig.holding();
        private final Race race = rig.client.race(
                () -> {
                    rig.owner.release();
                    rig.client.redis.delete();
                },
                rig::renew,
                () -> {
                    rig.client.quiet();
                    require(rig.owner.isReleased(), "the release has ended");
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

    /**
     * Holds of two kinds are renewed by two commands: whichever reply comes first, a loss is known with the replies.
     */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class LossAgainstRelease {
        private final OwnerRig rig = OwnerRig.robbed();
        private final Race race = rig.client.race(rig.owner::release, rig::renew, () -> {
            rig.client.quiet();
            require(!rig.other.isHeld(), "the loss is known");
            rig.other.release();
            rig.client.quiet();
            rig.owner.requireReleased();
            require(rig.other.lostIt(), "the release reports the loss");
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
