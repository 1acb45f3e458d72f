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

/** A handoff, on real threads: no remaining waiter is forgotten, and nothing is left. */
final class HandoffStress {
    private HandoffStress() {}

    /** The receiver gives up at the same time. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class HandoffAgainstLeave {
        private final QueueRig rig = QueueRig.early();
        private final Race race = rig.client.race(rig.holder::release, rig.leaver::leave, () -> {
            rig.requireServed();
            rig.holder.requireReleased();
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

    /** The connection is lost at the same time. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class HandoffAgainstCut {
        private final QueueRig rig = QueueRig.early();
        private final Race race = rig.client.race(rig.holder::release, rig.client::cutInTurn, () -> {
            rig.requireServed();
            rig.holder.requireReleased();
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

    /** The key is deleted at the same time: a hold is lost, and the waiters behind it acquire the lock after it. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class HandoffAgainstDeletion {
        private final QueueRig rig = QueueRig.early();
        private final Race race = rig.client.race(rig.holder::release, rig.client.redis::delete, () -> {
            rig.client.quiet();
            require(rig.leaver.isCompleted(), "the next waiter was notified, of the grant or of the loss");
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the waiter behind it has the lock");
            rig.stayer.release();
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
     * All owners were served before Redis replied, so the release is deferred: an owner that arrives then gets the
     * lock.
     */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class DeferralAgainstArrival {
        private final QueueRig rig = QueueRig.deferred();
        private final ModelClient.Owner newcomer = rig.client.new Owner();
        private final Race race = rig.client.race(() -> {}, newcomer::acquire, () -> {
            rig.client.quiet();
            require(newcomer.holds(), "the owner that arrived has the lock");
            newcomer.release();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
            newcomer.requireReleased();
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
