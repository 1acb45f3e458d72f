package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.Optional;

/**
 * One visit of an actor to a lock.
 *
 * @param lock its name
 * @param otherKind whether it asks for the plain lock where the round has a fenced one of that name, and the other way round
 * @param crosses whether it asks for the lock of the other kind, fenced or plain, when it enters again
 * @param mayBeRejected whether its owner may have the lock of the other kind by now, or one that it gave up may still be under way
 * @param way how it asks
 * @param longestWait how long it waits at most, where it says so
 * @param lease the explicit lease, or empty to be watched
 * @param levels how often it enters, at least once
 * @param work how long it stays
 * @param patience when it gives up by an interrupt or by cancelling its future, if it still waits then
 * @param extension by how much it extends the lease when it has worked for half of the time
 * @param inspects whether it asks Redis who has the lock, before it works
 * @param interruption when an interrupt comes, counted from when it got in and whatever it does then, if it is one that blocks
 * @param rest how long it does nothing afterwards
 */
public record Turn(
        String lock,
        boolean otherKind,
        boolean crosses,
        boolean mayBeRejected,
        Way way,
        Duration longestWait,
        Optional<Duration> lease,
        int levels,
        Duration work,
        Optional<Duration> patience,
        Optional<Duration> extension,
        boolean inspects,
        Optional<Duration> interruption,
        Duration rest) {
    /**
     * {@return the same, for a level more} It waits for nothing but its own lock, so it is patient; but for one that is to be
     * rejected, and may be given up before.
     */
    public Turn again() {
        return new Turn(
                lock,
                otherKind ^ crosses,
                crosses,
                mayBeRejected,
                way,
                longestWait,
                lease,
                levels,
                work,
                crosses ? patience : Optional.empty(),
                extension,
                inspects,
                interruption,
                rest);
    }

    /** {@return the same at another lock} */
    Turn at(String other) {
        return new Turn(
                other,
                otherKind,
                crosses,
                mayBeRejected,
                way,
                longestWait,
                lease,
                levels,
                work,
                patience,
                extension,
                inspects,
                interruption,
                rest);
    }

    /** How a lock is asked for. */
    public enum Way {
        /** Waits for as long as it takes. */
        LOCK,
        /** The same, but an interrupt ends the wait; a future has no such difference. */
        LOCK_INTERRUPTIBLY,
        /** Does not wait. */
        TRY,
        /** Waits for a time. */
        TRY_WAIT
    }
}
