package dev.holdfast;

/** Hands a hold that has just begun to the one who wanted it. */
final class Grant {
    private Grant() {}

    /**
     * Delivers the hold, and ends the step. If nobody wants the lock any more, or its lease has run out by now, the lane
     * releases it instead.
     *
     * <p>The lane is free before the owner is told, since what the owner does first may be to release.
     *
     * @param step the step of the hold's lane that was granted it
     * @param hold in the keeper's care
     * @return false if the lease has run out by now, of which the one who wanted the lock has heard nothing
     */
    static boolean deliver(LaneCommand step, Hold hold, Acquisition to) {
        OwnerLane lane = hold.lane();
        boolean inTime = hold.lease().isRunning();
        if (inTime) {
            lane.push(hold);
        }
        if (inTime && to.grant(hold)) {
            hold.accepted();
            lane.engine().notices().acquired(hold, to);
            step.done();
            to.notifyGranted();
            return true;
        }
        // The owner's next step must not find a hold that the owner does not know of.
        lane.remove(hold);
        hold.leave(1);
        hold.lease().end();
        lane.noteOrphan(hold);
        step.done();
        lane.engine().queues().gone(hold);
        return inTime;
    }
}
