package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.orders.ModelClient.PAUSE;

import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Verdict;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Grants from the line of clients, on real threads, of which one receives the messages and the other one the replies:
 * an owner starts with a grant, or it is released; one owner at a time has the lock, and no waiter is forgotten.
 */
final class ClientLineStress {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);

    private ClientLineStress() {}

    /** The waiter in line gives up. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class GrantAgainstLeave {
        private final QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        private final Race race =
                rig.client.raceOfConnections(rig.client.redis::releaseOfOther, rig.leaver::leave, rig::requireServed);

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

    /** The reply arrives that gives the client its place. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class GrantAgainstAnswer {
        private final QueueRig rig = QueueRig.asking();
        private final Race race =
                rig.client.raceOfConnections(rig.client.redis::releaseOfOther, () -> {}, rig::requireServed);

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

    /** The waiter in line attempts again, since it has waited for long. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class GrantAgainstAnotherAttempt {
        private final QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        private final Race race;

        public GrantAgainstAnotherAttempt() {
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            race = rig.client.raceOfConnections(
                    rig.client.redis::releaseOfOther, () -> rig.client.clock.advance(PAUSE), rig::requireServed);
        }

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

    /** The connection of the commands is lost. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class GrantAgainstCut {
        private final QueueRig rig = QueueRig.asking();
        private final Race race = rig.client.raceOfConnections(
                rig.client.redis::releaseOfOther, rig.client.server::cut, rig::requireServed);

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

    /** The connection of the messages is lost, perhaps with the message, while the waiter in line gives up. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class LostMessageAgainstLeave {
        private final QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        private final Race race = rig.client.raceOfConnections(
                rig.client.wire::cut,
                () -> {
                    rig.client.redis.releaseOfOther();
                    rig.leaver.leave();
                },
                rig::requireServed);

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

    /** A message to a call that has given up, while another call of its owner gets a place, and then its own message. */
    @JCStressTest
    @JCStressMeta(Verdict.class)
    @State
    public static class LateMessageAgainstAnswer {
        private final QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        private final ModelClient.Owner again = rig.leaver.again();
        private final Race race;

        public LateMessageAgainstAnswer() {
            rig.stayer.leave();
            rig.client.quiet();
            rig.client.redis.releaseOfOther();
            rig.leaver.leave();
            rig.client.serve();
            rig.client.redis.takeForOther();
            again.acquire();
            race = rig.client.raceOfConnections(() -> {}, () -> {}, () -> {
                rig.client.quiet();
                require(!again.holds(), "the other client has the lock alone");
                rig.client.redis.releaseOfOther();
                rig.client.quiet();
                require(again.holds(), "the second call has the lock");
                again.release();
                rig.client.requireOneAtATime();
                rig.client.requireNothingLeft();
            });
        }

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
