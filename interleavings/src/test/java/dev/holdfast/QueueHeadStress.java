package dev.holdfast;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The wake-ups of a lock on real threads: none is lost among those who come, try and leave. */
final class QueueHeadStress {
    private QueueHeadStress() {}

    /** Another client gives the lock back while the first in line goes. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class MessageAgainstLeave {
        private final QueueRig rig = QueueRig.elsewhere(new ModelClient());
        private final Race race =
                rig.client.race(rig.client.redis::releaseOfOther, rig.leaver::leave, rig::requireTurns);

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

    /** Who was woken leaves without having tried, while another comes with an answer from before. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class LeaveOfTheWokenAgainstOneWhoComesLate {
        private final QueueRig rig = QueueRig.late();
        private final Race race = rig.client.race(() -> {}, rig.leaver::leave, rig::requireTurns);

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
