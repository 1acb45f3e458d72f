package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.point;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.redis.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * However an owner's steps come, end and find their lane retired: each runs once, one at a time, those of one thread in the
 * order they came in; and when all have ended there is no lane left.
 */
class LaneStepsOrdersTest {
    private static final long OWNER = -1;

    /** The lanes of an engine, and what their steps did. */
    private static final class Rig {
        final Unconnected parts = new Unconnected();
        final Lanes lanes = parts.engine.lanes();
        private final List<String> began = new ArrayList<>();
        private int running;

        /** A step that has nothing to wait for. */
        void submit(String name) {
            lanes.submit(parts.lock, OWNER, lane -> new Probe(lane, this, name, true));
        }

        /** A step whose answer comes when it is told to {@link Probe#end}. */
        Probe submitSlow(String name) {
            Probe[] slow = new Probe[1];
            lanes.submit(parts.lock, OWNER, lane -> {
                slow[0] = new Probe(lane, this, name, false);
                return slow[0];
            });
            return slow[0];
        }

        boolean claim(String name) {
            Probe claimed = lanes.claim(parts.lock, OWNER, lane -> new Probe(lane, this, name, true));
            if (claimed != null) {
                claimed.start();
            }
            return claimed != null;
        }

        synchronized void begin(String name) {
            running++;
            require(running == 1, "one step runs at a time, and so does " + name);
            began.add(name);
        }

        synchronized void end() {
            running--;
        }

        synchronized void requireRan(int times, String name) {
            int ran = 0;
            for (String each : began) {
                ran += each.equals(name) ? 1 : 0;
            }
            require(ran == times, name + " ran " + times + " times, did " + ran);
        }

        synchronized void requireOrder(String first, String second) {
            require(began.indexOf(first) < began.indexOf(second), first + " ran before " + second);
        }
    }

    /** Says when it runs. */
    private static final class Probe extends Step {
        private final Rig rig;
        private final String name;
        private final boolean endsAtOnce;

        Probe(Lane lane, Rig rig, String name, boolean endsAtOnce) {
            super(lane);
            this.rig = rig;
            this.name = name;
            this.endsAtOnce = endsAtOnce;
            point("submitting " + name);
        }

        @Override
        void run() {
            rig.begin(name);
            point("running " + name);
            if (endsAtOnce) {
                end();
            }
        }

        void end() {
            rig.end();
            done();
        }

        @Override
        void giveUp(Throwable cause) {
            throw new AssertionError("nothing is given up here", cause);
        }

        @Override
        public void settled(Call call) {
            throw new AssertionError("nothing is sent here");
        }
    }

    /** Two threads of one owner, each with steps that end at once, so that the lane is retired again and again. */
    @Test
    void submit_againstRetirement() {
        exploreClosely(() -> {
            Rig rig = new Rig();
            together(
                    () -> {
                        rig.submit("first");
                        rig.submit("second");
                    },
                    () -> rig.submit("other"));
            rig.requireRan(1, "first");
            rig.requireRan(1, "second");
            rig.requireRan(1, "other");
            rig.requireOrder("first", "second");
            require(rig.lanes.size() == 0, "no lane is left");
        });
    }

    /** While a step is answered others come: they wait for it, and none is forgotten. */
    @Test
    void submit_againstAnAnswer() {
        exploreClosely(() -> {
            Rig rig = new Rig();
            Probe slow = rig.submitSlow("slow");
            together(slow::end, () -> {
                rig.submit("first");
                rig.submit("second");
            });
            rig.requireRan(1, "first");
            rig.requireRan(1, "second");
            rig.requireOrder("first", "second");
            require(rig.lanes.size() == 0, "no lane is left");
        });
    }

    /** The thread that retires a lane may be late to take it out; by then the owner may have another, which stays. */
    @Test
    void retirement_leavesTheNextLane() {
        exploreClosely(() -> {
            Rig rig = new Rig();
            Probe[] slow = new Probe[1];
            together(() -> rig.submit("first"), () -> slow[0] = rig.submitSlow("slow"));
            rig.submit("behind");
            rig.requireRan(0, "behind");
            slow[0].end();
            rig.requireRan(1, "behind");
            require(rig.lanes.size() == 0, "no lane is left");
        });
    }

    /** Who claims a lane has it for itself, or does not get it. */
    @Test
    void claim_againstSubmitAndAnswer() {
        exploreClosely(() -> {
            Rig rig = new Rig();
            Probe slow = rig.submitSlow("slow");
            boolean[] claimed = new boolean[1];
            together(slow::end, () -> claimed[0] = rig.claim("claimed"), () -> rig.submit("other"));
            rig.requireRan(claimed[0] ? 1 : 0, "claimed");
            rig.requireRan(1, "other");
            require(rig.lanes.size() == 0, "no lane is left");
        });
    }
}
