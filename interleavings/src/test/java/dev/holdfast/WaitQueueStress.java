package dev.holdfast;

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

        @Actor
        public void release() {
            rig.holder.release();
            rig.client.serveInTurn();
        }

        @Actor
        public void leave() {
            rig.leaver.leave();
            rig.client.serveInTurn();
        }

        @Arbiter
        public void look(L_Result result) {
            Verdict.of(result, () -> {
                rig.requireTurns();
                rig.holder.requireReleased();
            });
        }
    }

    /** Both in line go while the lock is given back. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstTwoLeaves {
        private final QueueRig rig = QueueRig.awaited();

        @Actor
        public void release() {
            rig.holder.release();
            rig.client.serveInTurn();
        }

        @Actor
        public void leave() {
            rig.leaver.leave();
            rig.stayer.leave();
            rig.client.serveInTurn();
        }

        @Arbiter
        public void look(L_Result result) {
            Verdict.of(result, () -> {
                rig.client.quiet();
                rig.leaver.releaseIfHeld();
                rig.stayer.releaseIfHeld();
                rig.holder.requireReleased();
                rig.client.requireNothingLeft();
            });
        }
    }

    /** One comes just when the lock is given back: it is handed to him, or he finds it free, or he hears of it. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class ReleaseAgainstOneWhoComes {
        private final QueueRig rig = QueueRig.held();

        @Actor
        public void release() {
            rig.holder.release();
            rig.client.serveInTurn();
        }

        @Actor
        public void come() {
            rig.stayer.acquire();
            rig.client.serveInTurn();
        }

        @Arbiter
        public void look(L_Result result) {
            Verdict.of(result, () -> {
                rig.requireTurns();
                rig.holder.requireReleased();
            });
        }
    }

    /** One gives up just when his try has found the lock busy: he is not in line, or is taken out of it. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class BusyAgainstLeave {
        private final QueueRig rig = QueueRig.trying();

        @Actor
        public void serve() {
            rig.client.serveInTurn();
        }

        @Actor
        public void leave() {
            rig.leaver.leave();
            rig.client.serveInTurn();
        }

        @Arbiter
        public void look(L_Result result) {
            Verdict.of(result, () -> {
                rig.client.redis.releaseOfOther();
                rig.client.requireNothingLeft();
            });
        }
    }
}
