package dev.holdfast;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The queue of a lock on real threads: nobody who stays is forgotten, and one at a time has the lock. */
final class WaitQueueStress {
    private WaitQueueStress() {}

    /** The first in line goes while the lock is given back. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstLeave {
        private final QueueRig rig = QueueRig.awaited();
        private final Race race = rig.client.race(rig.holder::release, rig.leaver::leave, () -> {
            rig.requireTurns();
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
        public void look(L_Result result) {
            race.look(result);
        }
    }

    /** Both in line go while the lock is given back. */
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
        public void look(L_Result result) {
            race.look(result);
        }
    }

    /** One comes just when the lock is given back: it is handed to him, or he finds it free, or he hears of it. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstOneWhoComes {
        private final QueueRig rig = QueueRig.held();
        private final Race race = rig.client.race(rig.holder::release, rig.stayer::acquire, () -> {
            rig.requireTurns();
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
        public void look(L_Result result) {
            race.look(result);
        }
    }

    /** One gives up just when his try has found the lock busy: he is not in line, or is taken out of it. */
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
        public void look(L_Result result) {
            race.look(result);
        }
    }
}
