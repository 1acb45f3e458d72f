package dev.holdfast;

/** Delivers a hold that has just begun to its acquisition. */
final class Grant {
    private Grant() {}

    /**
     * Delivers the hold, and ends the command. If the acquisition has ended, or the lease has run out by now, the lane
     * releases the hold instead.
     *
     * <p>The lane is free before the owner is notified, since the owner's first action may be a release.
     *
     * @param step the command of the hold's lane that was granted it
     * @param hold a hold that the lease keeper keeps already
     * @return false if the lease has run out by now, which the acquisition has not been notified of
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
        // The owner's next command must not find a hold that the owner does not know of.
        lane.remove(hold);
        hold.leaveNewest();
        hold.lease().end();
        lane.noteOrphan(hold);
        step.done();
        lane.engine().queues().gone(hold);
        return inTime;
    }
}
