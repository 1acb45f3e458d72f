package dev.holdfast.internal.jfr;

import java.time.Duration;
import jdk.jfr.FlightRecorder;

/**
 * Reports to the JDK's flight recorder. While no recording has enabled an event, none is created. Before the first recording of a
 * process, and in a Java runtime without the module {@code jdk.jfr}, the classes of the events are not loaded: registering one takes
 * as long as several round trips.
 */
public final class FlightEvents {
    /** An event with a duration. It began when it was returned; {@link #end} is called once, or never. */
    @FunctionalInterface
    public interface Span {
        /** Ends the event, with this outcome. */
        void end(String outcome);
    }

    /** What nobody records. */
    public static final Span NONE = outcome -> {};

    private static final boolean PRESENT = isPresent();

    private FlightEvents() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.Event");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean isInUse() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    /** {@return whether a recording has enabled the events of waits} */
    public static boolean areWaitsRecorded() {
        return isInUse() && LockWait.isRecorded();
    }

    /** {@return whether a recording has enabled the events of holds} */
    public static boolean areHoldsRecorded() {
        return isInUse() && LockHold.isRecorded();
    }

    /**
     * The calling thread is about to wait for a lock, or for the reply to its first attempt. To be called only if waits
     * {@linkplain #areWaitsRecorded are recorded}. To be ended by the same thread, whose stack the event has.
     */
    public static Span lockWait(String lock, String client) {
        return LockWait.begun(lock, client);
    }

    /** The calling thread is about to wait until a latch is open. To be ended by the same thread, whose stack the event has. */
    public static Span latchAwait(String latch, String client) {
        return isInUse() && LatchAwait.isRecorded() ? LatchAwait.begun(latch, client) : NONE;
    }

    /**
     * The calling thread is about to wait for a condition of a lock; to have that again is a {@link #lockWait}. To be ended by the same
     * thread, whose stack the event has.
     */
    public static Span conditionAwait(String lock, String condition, String client) {
        return isInUse() && ConditionAwait.isRecorded() ? ConditionAwait.begun(lock, condition, client) : NONE;
    }

    /**
     * A hold has begun. It can be ended by any thread. To be called only if holds {@linkplain #areHoldsRecorded are
     * recorded}.
     */
    public static Span lockHold(String lock, String client, long owner) {
        return LockHold.begun(lock, client, owner);
    }

    /** A hold was lost. */
    public static void leaseLost(String lock, String client, long owner, String reason, Duration held) {
        if (isInUse()) {
            LeaseLost.happened(lock, client, owner, reason, held);
        }
    }

    /** Half of what was left of a lease has passed without a renewal. */
    public static void leaseAtRisk(String lock, String client, long owner, Duration remaining) {
        if (isInUse()) {
            LeaseAtRisk.happened(lock, client, owner, remaining);
        }
    }

    /** A connection was re-established. */
    public static void reconnected(String connection, String client, Duration outage) {
        if (isInUse()) {
            Reconnected.happened(connection, client, outage);
        }
    }
}
