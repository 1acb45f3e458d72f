package dev.holdfast;

/**
 * Receives the events of a client's locks and connections, for metrics and alarms. Every method does nothing by
 * default; methods may be added.
 *
 * <p>The methods are called on the client's callback executor, or on a thread of the client's own if that refuses. For one listener, the
 * calls are sequential and in the order of the events. A slow listener delays its own later events, but neither the
 * locks nor other listeners, as long as the executor has a thread for these. An exception of a listener is logged and
 * not propagated.
 *
 * <p>Up to 10,000 events are queued for a listener. When the queue is full, further events are dropped, except losses,
 * leases at risk and connection events, of which another 10,000 are queued. {@link HoldfastStats#droppedEvents()}
 * counts the dropped events; the first drop is logged as a warning.
 *
 * <p>An acquire call ends with one of these:
 *
 * <ul>
 *   <li>It is granted: {@link #acquired}. The grant of a re-entry publishes no event.
 *   <li>It does not wait, and the lock is busy: {@link #busy}.
 *   <li>It waits until its time has passed, or its caller gives up: {@link #waited}.
 *   <li>It throws, or its future fails: {@link #failed}.
 * </ul>
 *
 * <p>For a call that was queued, {@link #waited} is called in each case, before any other method is called for its end.
 */
public interface LockListener {
    /** A lock was acquired; re-entries do not count. */
    default void acquired(LockEvent.Acquired event) {}

    /** An attempt that does not wait was refused because the lock is busy. */
    default void busy(LockEvent.Busy event) {}

    /** An acquire call ended with an exception of this library: Redis failed, or the client was closed. */
    default void failed(LockEvent.Failed event) {}

    /** An acquire call that had to wait stopped waiting, with the lock or without it. */
    default void waited(LockEvent.Waited event) {}

    /** A lock was released in full. */
    default void released(LockEvent.Released event) {}

    /**
     * The release of a lock in full was not confirmed: Redis refused it, or did not answer. The client retries it until the
     * lease has run out; {@link #released} is not called for this hold. A loss that is found by that is still reported.
     */
    default void releaseUnconfirmed(LockEvent.ReleaseUnconfirmed event) {}

    /** Redis confirmed the renewal of a lease. */
    default void renewed(LockEvent.Renewed event) {}

    /** A renewal has had no reply, and half of the lease that was left when it was sent has passed. */
    default void atRisk(LockEvent.AtRisk event) {}

    /** A lease was lost. */
    default void lost(LockEvent.Lost event) {}

    /** A hold that Redis had for no caller was released: an {@linkplain HoldfastStats#orphansReleased() orphan}. */
    default void orphanReleased(LockEvent.OrphanReleased event) {}

    /**
     * A connection to Redis was lost, or could not be made again for a new reason. A connection that {@link Holdfast#close()}
     * ends publishes no event.
     */
    default void disconnected(ConnectionEvent.Disconnected event) {}

    /** A connection to Redis was re-established; the first connect publishes no event. */
    default void reconnected(ConnectionEvent.Reconnected event) {}
}
