package dev.holdfast.internal.hold;

import dev.holdfast.internal.jfr.FlightEvents;

/** A command that may grant its owner a new hold. */
public abstract class GrantingCommand extends LaneCommand {
    protected GrantingCommand(OwnerLane lane) {
        super(lane);
    }

    /**
     * Delivers a hold that has just begun, and ends the command. If the call has ended, or the lease has run out by
     * now, the lane releases the hold instead.
     *
     * <p>The lane is free before the owner is notified, since the owner's first action may be a release.
     *
     * @param hold a hold of this lane that the lease keeper keeps already
     * @return false if the lease has run out by now, which the call has not been notified of
     */
    protected final boolean deliver(Hold hold, Grantee to) {
        OwnerLane lane = lane();
        // In this order: a hold that is lost leaves the lane by its loss, or here if that came before.
        lane.push(hold);
        boolean inTime = hold.lease().isRunning();
        // The reply of a former home: the present one may lack what the hold follows, which is sent to it again.
        if (inTime && holds().homes.mayHaveMoved() && hold.isSent() && !hold.isConfirmedBy(home())) {
            lane.local().settledAt(null);
        }
        if (inTime && to.grant(hold)) {
            hold.accepted();
            boolean isReported = !hold.isOfGroup;
            if (isReported && FlightEvents.areHoldsRecorded()) {
                hold.isRecorded(
                        FlightEvents.lockHold(lock().name(), session().owners().clientId(), lane.ownerId()));
            }
            if (isReported) {
                session().events().acquired(lock(), lane.ownerId(), to.startNanos(), hold.isHandedOff());
            }
            done();
            to.notifyGranted();
            return true;
        }
        // The owner's next command must not find a hold that the owner does not know of.
        lane.remove(hold);
        hold.leaveNewest();
        hold.lease().end();
        lane.noteOrphan(hold);
        done();
        lane.local().gone(hold);
        return inTime;
    }
}
