package dev.holdfast.interleavings.orders;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The queue of a lock on real threads: no remaining waiter is forgotten, and one at a time has the lock. */
final class WaitQueueStress {
    private WaitQueueStress() {}

    /** The first waiter leaves during the release. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstLeave {
        private final QueueRig rig = QueueRig.awaited();
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

    /** Both waiters leave during the release. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstTwoLeaves {
        private final QueueRig rig = QueueRig.awaited();
        private final Race race = rig.client.race(
                rig.holder::release,
                () -> {
                    rig.leaver.leave();
                    rig.stayer.leave();
                },
                () -> {
                    rig.client.quiet();
                    rig.leaver.releaseIfHeld();
                    rig.stayer.releaseIfHeld();
                    rig.holder.requireReleased();
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

    /** An owner arrives during the release: it gets a handoff, or finds the lock free, or receives the message. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstArrival {
        private final QueueRig rig = QueueRig.held();
        private final Race race = rig.client.race(rig.holder::release, rig.stayer::acquire, () -> {
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

    /**
     * An owner gives up just when its attempt has found the lock busy: it does not join the queue, or is removed from
     * it.
     */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class BusyAgainstLeave {
        private final QueueRig rig = QueueRig.trying();
        private final Race race = rig.client.race(() -> {}, rig.leaver::leave, () -> {
            rig.client.redis.releaseOfOther();
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
