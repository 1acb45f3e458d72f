package dev.holdfast;

/**
 * Is told what happens to a client's locks and connections, for metrics and alarms. Every method does nothing by default;
 * more methods may come.
 *
 * <p>Calls come on the client's callback executor, for one listener one after the other and in the order of the events,
 * never on a thread of the driver. A slow listener delays its own later events, but neither the locks nor other listeners,
 * as long as the executor has a thread for these. What a listener throws is logged and goes no further.
 *
 * <p>Up to 10,000 events wait for a listener. When so many wait, further ones are dropped, except losses, leases at risk and
 * what happens to connections, of which another 10,000 are kept. What was dropped is counted by
 * {@link HoldfastStats#droppedEvents()}; the first time, a warning is logged.
 *
 * <p>A call for a lock ends with one of these:
 *
 * <ul>
 *   <li>It is granted: {@link #acquired}. Nothing is told of a re-entry.
 *   <li>It does not wait, and the lock is busy: {@link #busy}.
 *   <li>It waits until its time has passed, or its caller gives up: {@link #waited}.
 *   <li>It throws, or its future fails: {@link #failed}.
 * </ul>
 *
 * <p>A call that had to stand in line is told as {@link #waited} in each case, before anything else is told of its end.
 */
public interface LockListener {
    /** A lock was acquired; re-entries do not count. */
    default void acquired(LockEvent.Acquired event) {}

    /** A try that does not wait was refused, for the lock is busy. */
    default void busy(LockEvent.Busy event) {}

    /** A call for a lock ended with an exception of this library: Redis failed, or the client was closed. */
    default void failed(LockEvent.Failed event) {}

    /** A call that had to wait for a lock stopped waiting, with the lock or without. */
    default void waited(LockEvent.Waited event) {}

    /** A lock was released in full. */
    default void released(LockEvent.Released event) {}

    /** Redis confirmed the renewal of a lease. */
    default void renewed(LockEvent.Renewed event) {}

    /** A renewal has had no answer, and half of what was left of the lease has passed meanwhile. */
    default void atRisk(LockEvent.AtRisk event) {}

    /** A lease was lost. */
    default void lost(LockEvent.Lost event) {}

    /** A lock that was acquired for a caller that had given up was released again. */
    default void orphanReleased(LockEvent.OrphanReleased event) {}

    /** A connection to Redis was lost. The end of one by {@link Holdfast#close()} is not told. */
    default void disconnected(ConnectionEvent.Disconnected event) {}

    /** A connection to Redis is there again; the first one is not told. */
    default void reconnected(ConnectionEvent.Reconnected event) {}
}
