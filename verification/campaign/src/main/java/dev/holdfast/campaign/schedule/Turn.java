package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One turn of an actor at a lock.
 *
 * @param lock the name of the lock, or of a segmented lock
 * @param beside the other locks of a multi-lock, or the segments that it may acquire; empty for a turn at one lock
 * @param otherKind whether it acquires the plain lock if the round uses the fenced one of that name, and the other way
 *     round
 * @param crosses whether its re-entries acquire the lock of the other kind, fenced or plain
 * @param reads whether it acquires the read lock of a read-write lock
 * @param mayBeRejected whether its owner may already have the lock of the other kind, or an abandoned acquisition of it
 *     still in progress
 * @param way how it acquires
 * @param longestWait the limit of the wait, if the way has one
 * @param lease the explicit lease; empty for a watched one
 * @param levels the number of levels to acquire, at least 1; or of permits, if there are as many
 * @param work how long the actor works while it holds the lock
 * @param patience when the actor gives up, by an interrupt or by cancelling its future, if the lock was not granted
 *     before
 * @param extension by how much the actor extends the lease after half of its work
 * @param inspects whether the actor inspects the lock in Redis before its work
 * @param interruption for actors with blocking calls, when they are interrupted, counted from the grant
 * @param keep for how long the lock stays busy after its release, if it is released after a delay
 * @param rest how long the actor pauses afterwards
 */
public record Turn(
        String lock,
        List<String> beside,
        boolean otherKind,
        boolean crosses,
        boolean reads,
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
        Optional<Duration> keep,
        Duration rest) {
    /**
     * {@return the turn for one more level} A re-entry waits for no other owner, so its actor does not give up; an
     * acquisition of the other kind is to be rejected, and may be abandoned before.
     */
    public Turn again() {
        Optional<Duration> shorter = crosses ? patience : Optional.empty();
        return copy(lock, beside, otherKind ^ crosses, reads, longestWait, lease, levels, work, shorter, keep);
    }

    /** {@return whether it waits without a limit} */
    public boolean waitsForEver() {
        return way == Way.LOCK || way == Way.LOCK_INTERRUPTIBLY;
    }

    /** {@return the limit of the wait: zero if it does not wait} */
    public Duration limit() {
        return way == Way.TRY ? Duration.ZERO : longestWait;
    }

    /** {@return the same turn at another lock} */
    Turn at(String other) {
        return with(other, beside);
    }

    /** {@return the same turn at a lock together with others} */
    Turn with(String first, List<String> others) {
        return copy(first, others, otherKind, reads, longestWait, lease, levels, work, patience, keep);
    }

    /** {@return the same turn with this limit of the wait} */
    Turn waiting(Duration longest) {
        return copy(lock, beside, otherKind, reads, longest, lease, levels, work, patience, keep);
    }

    /** {@return the same turn with this much work under this lease} */
    Turn working(Duration longer, Optional<Duration> under) {
        return copy(lock, beside, otherKind, reads, longestWait, under, levels, longer, patience, keep);
    }

    /** {@return the same turn, after which the lock stays busy for this time} */
    Turn keeping(Optional<Duration> busy) {
        return copy(lock, beside, otherKind, reads, longestWait, lease, levels, work, patience, busy);
    }

    /** {@return the same turn with this number of levels} */
    Turn requesting(int count) {
        return copy(lock, beside, otherKind, reads, longestWait, lease, count, work, patience, keep);
    }

    /** {@return the same turn at the read lock, or at the write lock, of a read-write lock} */
    Turn reading(boolean read) {
        return copy(lock, beside, otherKind, read, longestWait, lease, levels, work, patience, keep);
    }

    private Turn copy(
            String lock,
            List<String> beside,
            boolean otherKind,
            boolean reads,
            Duration longestWait,
            Optional<Duration> lease,
            int levels,
            Duration work,
            Optional<Duration> patience,
            Optional<Duration> keep) {
        return new Turn(
                lock,
                beside,
                otherKind,
                crosses,
                reads,
                mayBeRejected,
                way,
                longestWait,
                lease,
                levels,
                work,
                patience,
                extension,
                inspects && !reads,
                interruption,
                keep,
                rest);
    }

    /** How a lock is acquired. */
    public enum Way {
        /** Waits without a limit. */
        LOCK,
        /** The same, but an interrupt ends the wait; for futures there is no difference. */
        LOCK_INTERRUPTIBLY,
        /** Does not wait. */
        TRY,
        /** Waits with a limit. */
        TRY_WAIT
    }
}
