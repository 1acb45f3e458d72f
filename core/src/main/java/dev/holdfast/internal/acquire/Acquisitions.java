package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.WriteKind;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.Admission;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.WaitQueue;
import dev.holdfast.internal.wait.WaitQueues;

/** Begins the acquisitions of a client. */
public final class Acquisitions {
    private final Session session;
    private final LocalLocks locks;
    private final WaitQueues queues;
    private final ReadSides readers;

    public Acquisitions(Session session, LocalLocks locks, WaitQueues queues) {
        this.session = session;
        this.locks = locks;
        this.queues = queues;
        this.readers = new ReadSides(this);
    }

    Session session() {
        return session;
    }

    LocalLocks locks() {
        return locks;
    }

    /** {@return the readers of this client} */
    public ReadSides readers() {
        return readers;
    }

    public WaitQueues queues() {
        return queues;
    }

    /**
     * Begins an acquisition. One that may wait joins the lock's queue at once if there is one; a re-entry never waits. One of
     * a call without a wait fails at once during an {@linkplain dev.holdfast.internal.node.Home#outage outage}.
     *
     * @throws IllegalStateException if the client is closed, or if the owner holds or acquires the lock as another kind
     */
    public <A extends Acquisition> A begin(A acquisition) {
        Admission admission = session.admission();
        if (admission.isClosing() && admission.refuses(isReentry(acquisition))) {
            readers.leave(acquisition); // it may have been invited already
            throw Admission.clientIsClosed();
        }
        OwnerLane lane = locks.pin(acquisition.lock(), acquisition.ownerId());
        acquisition.pinned(lane);
        Outage outage = acquisition.isOfWaitingCall() ? null : lane.home().outage();
        if (outage != null) {
            acquisition.unconnected(outage);
            return acquisition;
        }
        acquisition.armDeadline();
        boolean reenters = lane.reentrable() != null;
        if (!reenters && acquisition.kind instanceof WriteKind && isUpgrade(acquisition)) {
            upgrade(acquisition);
            return acquisition;
        }
        if (reenters || !acquisition.waits() || acquisition.readers != null || !joins(lane, acquisition)) {
            acquisition.attempt();
        }
        if (admission.refuses(reenters)) {
            acquisition.close();
        }
        return acquisition;
    }

    /** {@return whether its owner has the read side of the lock, so that it would wait for itself} */
    private boolean isUpgrade(Acquisition acquisition) {
        LockKey read = acquisition.lock().otherSide();
        return read != null && locks.mayBeHeld(read, acquisition.ownerId());
    }

    private void upgrade(Acquisition acquisition) {
        if (acquisition.waits()) {
            acquisition.failAlone(session.exceptions().upgrade(acquisition.lock(), acquisition.ownerId()));
        } else {
            acquisition.refuse();
        }
    }

    /** {@return whether it waits in the lock's queue now, without an attempt of its own} */
    private static boolean joins(OwnerLane lane, Acquisition acquisition) {
        return lane.local().successors() instanceof WaitQueue queue && queue.joinUntried(acquisition);
    }

    private boolean isReentry(Acquisition acquisition) {
        OwnerLane lane = locks.lane(acquisition.lock(), acquisition.ownerId());
        return lane != null && lane.reentrable() != null;
    }
}
