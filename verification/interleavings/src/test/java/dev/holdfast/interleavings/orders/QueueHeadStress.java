package dev.holdfast.interleavings.orders;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The wake-ups of a lock on real threads: none is lost among owners that arrive, try and leave. */
final class QueueHeadStress {
    private QueueHeadStress() {}

    /** Another client releases the lock while the first waiter leaves. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class MessageAgainstLeave {
        private final QueueRig rig = QueueRig.elsewhere(new ModelClient());
        private final Race race =
                rig.client.race(rig.client.redis::releaseOfOther, rig.leaver::leave, rig::requireServed);

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

    /** The woken waiter leaves without an attempt, while another joins with an outdated reply. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class LeaveOfTheWokenAgainstLateArrival {
        private final QueueRig rig = QueueRig.late();
        private final Race race = rig.client.race(() -> {}, rig.leaver::leave, rig::requireServed);

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
