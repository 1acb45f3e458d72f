package dev.holdfast.micrometer;

/**
 * Decides when the holds that are known from events may be over without an event of their end, because it was dropped: at
 * once, for those that have begun, and again when all events are delivered that were queued at that time, for theirs.
 */
final class MissedEvents {
    /** The number of queued events from which on the client drops what ends a hold. */
    static final int QUEUE = 10_000;

    /** As of the last event. Guarded by this. */
    private long dropped;

    /** How many events to come may have been queued when others were dropped. Guarded by this. */
    private int queued;

    /**
     * {@return whether the ends of known holds may have been dropped} To be called for each event, before it is handled.
     *
     * @param droppedSoFar how many events the client has dropped, for any of its listeners
     */
    synchronized boolean mayHideEnds(long droppedSoFar) {
        if (droppedSoFar != dropped) {
            dropped = droppedSoFar;
            queued = QUEUE;
            return true;
        }
        if (queued == 0) {
            return false;
        }
        queued--;
        return queued == 0;
    }
}
