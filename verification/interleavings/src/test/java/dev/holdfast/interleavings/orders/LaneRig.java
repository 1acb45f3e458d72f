package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.point;

import dev.holdfast.LockType;
import dev.holdfast.internal.hold.LaneCommand;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The lanes of an engine, and a record of the commands that one owner ran. */
final class LaneRig {
    private static final long OWNER = -1;

    private final UnconnectedLanes parts = new UnconnectedLanes();
    private final LocalLocks locks = parts.holds.locks();
    private final List<String> began = new ArrayList<>();
    private final Set<OwnerLane> running = new HashSet<>();

    /** Users of the plain lock, and of the fenced one. */
    private final int[] users = new int[2];

    /** Submits a command that has no reply to wait for. */
    void submit(String name) {
        submit(parts.lock, name);
    }

    private void submit(LockKey lock, String name) {
        locks.submit(lock, OWNER, lane -> new Probe(lane, this, name, true));
    }

    /** Submits a command that ends when the test calls {@link Probe#end}. */
    Probe submitSlow(String name) {
        Probe[] slow = new Probe[1];
        locks.submit(parts.lock, OWNER, lane -> {
            slow[0] = new Probe(lane, this, name, false);
            return slow[0];
        });
        return slow[0];
    }

    /**
     * The owner requests the lock as this kind, without a long wait.
     *
     * @return false if that was rejected, because the owner was using the other kind at that moment
     */
    boolean use(Kind kind) {
        LockKey lock = new LockKey(kind, parts.lock.name(), "");
        OwnerLane lane;
        try {
            lane = locks.pin(lock, OWNER);
        } catch (IllegalStateException e) {
            return false;
        }
        inUse(lock, 1);
        submit(lock, "as " + lock.type());
        inUse(lock, -1);
        lane.unpin();
        lane.rest();
        return true;
    }

    private synchronized void inUse(LockKey lock, int change) {
        int at = lock.type() == LockType.FENCED ? 1 : 0;
        users[at] += change;
        require(users[0] == 0 || users[1] == 0, "the owner uses one kind at a time");
    }

    boolean claim(String name) {
        OwnerLane lane = locks.pin(parts.lock, OWNER);
        Probe probe = new Probe(lane, this, name, true);
        boolean claimed = lane.reserve(probe);
        if (claimed) {
            probe.start();
        }
        lane.unpin();
        lane.rest();
        return claimed;
    }

    synchronized void begin(OwnerLane lane, String name) {
        require(running.add(lane), "one command runs at a time, another began: " + name);
        began.add(name);
    }

    synchronized void end(OwnerLane lane) {
        running.remove(lane);
    }

    synchronized void requireRan(int times, String name) {
        int ran = 0;
        for (String each : began) {
            ran += each.equals(name) ? 1 : 0;
        }
        require(ran == times, name + " runs " + times + " times, ran " + ran);
    }

    synchronized void requireOrder(String first, String second) {
        require(began.indexOf(first) < began.indexOf(second), first + " ran before " + second);
    }

    void requireNoLane() {
        require(locks.lanes().isEmpty() && locks.size() == 0, "no lane is left, and no lock");
    }

    /** A command that records its runs. */
    static final class Probe extends LaneCommand {
        private final LaneRig rig;
        private final String name;
        private final boolean endsAtOnce;

        Probe(OwnerLane lane, LaneRig rig, String name, boolean endsAtOnce) {
            super(lane);
            this.rig = rig;
            this.name = name;
            this.endsAtOnce = endsAtOnce;
            point("submitting " + name);
        }

        @Override
        protected void run() {
            rig.begin(lane(), name);
            point("running " + name);
            if (endsAtOnce) {
                end();
            }
        }

        void end() {
            rig.end(lane());
            done();
        }
    }
}
