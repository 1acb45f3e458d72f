package dev.holdfast;

import java.time.Duration;

/**
 * Hears what happens to a client's locks, for metrics and alarms. Every method does nothing by default.
 *
 * <p>Calls come on the client's callback executor, one after the other and in the order of the events, never on a thread
 * of the driver. A slow listener delays later events, not the locks. What it throws is logged and goes no further.
 *
 * <p>An owner is named {@code "<client id>:<owner id>"}, as in Redis.
 */
public interface LockListener {
    /** A lock was acquired; re-entries do not count. */
    default void acquired(String lock, String owner) {}

    /**
     * A call that had to wait stopped waiting.
     *
     * @param granted whether it got the lock
     */
    default void waited(String lock, String owner, Duration waited, boolean granted) {}

    /** A lock was given back in full. */
    default void released(String lock, String owner, Duration held) {}

    /** Redis confirmed the renewal of a lease. */
    default void renewed(String lock, String owner) {}

    /**
     * A renewal has had no answer, and half of what was left of the lease has passed meanwhile.
     *
     * @param remaining until the lease is lost
     */
    default void atRisk(String lock, String owner, Duration remaining) {}

    /** A lease was lost. */
    default void lost(String lock, String owner, LeaseLoss loss) {}

    /** A lock that was acquired for a caller who had given up was released again. */
    default void orphanCleaned(String lock, String owner) {}
}
