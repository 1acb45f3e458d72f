package dev.holdfast;

import java.time.Duration;

/**
 * This client's turn at a lock that others may want as well, and how it stands back afterwards.
 *
 * <pre>
 *              a try of ours was granted           the turn has lasted LONGEST, others listen; or LONGEST_UNHEARD
 *   WAITING --------------------------> ON TURN -----------------------------------------> STANDING BACK
 *      ^                                                                                        |
 *      +-------- as many releases were heard as others listen; or a try of ours was granted ----+
 *      +-------- ON TURN, when a try of ours finds the lock somebody else's
 * </pre>
 *
 * <p>A client passes the lock on among its own, but each turn has an end, and then the lock is really released. But the release wakes the clients all at once, and whoever tries straight from the
 * thread that heard it would win again and again. So the client that has had its turn lets the others have theirs: upon a
 * release that it hears it does not try at once but after a {@link #BACKOFF}, by when somebody else has taken the lock
 * unless nobody wants it; and at once again when it has heard as many releases as there are others. That costs nobody
 * more than the patience, and a lock that is free at its end is taken.
 *
 * <p>Callers of {@code tryLock()} do not listen, whether they are of another client, of this one, or of Redisson. They find
 * the lock free only while it is, so a turn ends, seldom, when nobody is known to listen as well. The lock is then free for
 * the patience, and for as long as the message and the try take: a caller that tries every 3 ms or more often finds it so
 * each time, which is five times a second; one that tries every 30 ms, each tenth time. It costs the patience in 200 ms, 1.5 %
 * of the throughput of a lock that is never free otherwise.
 *
 * <p>A lock that was released because nobody here waited just then, and is taken here again before anybody else could, is
 * still the same turn. So one thread that takes it again each time, from a client that nobody waits in, has turns as well if
 * others listen: that is known by the number of clients that received the message of its release, and its client then
 * has a queue though nobody is in line.
 *
 * <p>Decides only. Guarded by the {@link WaitQueue}.
 */
final class CohortBudget {
    /** Long enough to make the round trips between two turns a small part, short enough to wait for. */
    private static final long LONGEST_NANOS = Duration.ofMillis(15).toNanos();

    /** The same when nobody is known to listen: {@link #BACKOFF} is to be a small part of it. */
    private static final long LONGEST_UNHEARD_NANOS = Duration.ofMillis(200).toNanos();

    /** What a client that is woken through a thread needs until its try is at the server, several times over. */
    static final Duration BACKOFF = Duration.ofMillis(3);

    private enum State {
        WAITING,
        ON_TURN,
        STANDING_BACK
    }

    /** What to do upon a message. */
    enum Heard {
        TRY,
        /** The lock is somebody else's now, or will be found free a little later. */
        SKIP
    }

    private State state = State.WAITING;

    /** A holder that had the lock before anybody waited for it begins with that. */
    private long beganNanos;

    /** When the lock was really released last. */
    private long endedNanos;

    /** How many others have not had their turn; while standing back. */
    private int releasesToSkip;

    /** The message of the release that ended our own turn has not been heard. */
    private boolean ownReleasePending;

    CohortBudget(long now) {
        beganNanos = now;
        endedNanos = now;
    }

    /** A try of ours was granted. A grant by handoff does not begin a turn, it is part of one. */
    void begin(long now) {
        if (state != State.ON_TURN || isOver(now)) {
            beganNanos = now;
        }
        state = State.ON_TURN;
    }

    /**
     * {@return whether the lock is not to be passed on but released} This client stands back then.
     *
     * @param others how many are known to listen, this client's own queue not counted
     * @param listens whether this client does, and so receives the message of its own release
     */
    boolean exhausted(long now, int others, boolean listens) {
        long longest = others > 0 ? LONGEST_NANOS : LONGEST_UNHEARD_NANOS;
        if (now - beganNanos < longest) {
            return false;
        }
        state = State.STANDING_BACK;
        releasesToSkip = others;
        ownReleasePending = listens;
        return true;
    }

    /** Somebody else has the lock: the next grant begins another turn. */
    void lost() {
        if (state == State.ON_TURN) {
            state = State.WAITING;
        }
    }

    /** The lock is being released. */
    void end(long now) {
        endedNanos = now;
    }

    /** {@return whether a grant would begin another turn, since the lock has been released for some time} */
    boolean isOver(long now) {
        return now - endedNanos >= BACKOFF.toNanos();
    }

    boolean backsOff() {
        return state == State.STANDING_BACK;
    }

    /** A release was heard. */
    Heard heard() {
        if (state != State.STANDING_BACK) {
            return Heard.TRY;
        }
        if (ownReleasePending) {
            ownReleasePending = false;
            return Heard.SKIP;
        }
        releasesToSkip--;
        if (releasesToSkip > 0) {
            return Heard.SKIP;
        }
        state = State.WAITING;
        return Heard.TRY;
    }
}
