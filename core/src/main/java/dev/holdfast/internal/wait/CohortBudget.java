package dev.holdfast.internal.wait;

import java.time.Duration;

/**
 * How long this client may keep a lock that other clients may want as well, and how it backs off afterwards.
 *
 * <pre>
 *            an attempt is granted                        exhausted
 *   WAITING -----------------------> ON_TURN ---------------------------> STANDING_BACK
 *      ^                              |   ^                                   |    |
 *      |   an attempt finds another   |   |       an attempt is granted       |    |
 *      +-- client's hold -------------+   +-----------------------------------+    |
 *      |                                                                           |
 *      +-- as many releases were received as there are others subscribed ----------+
 *
 *   exhausted: the turn has lasted LONGEST_NANOS and others are subscribed; or LONGEST_ALONE_NANOS
 * </pre>
 *
 * <p>A client hands the lock off among its own owners, but its <em>turn</em> at the lock is bounded, and at its end the
 * lock is really released. That release wakes all clients at the same time, and a client that attempts directly on the
 * thread that received the message would win again and again. So a client whose turn has ended backs off. When it
 * receives the message of a release it does not attempt at once but after a {@link #BACKOFF}, within which another client
 * acquires the lock, unless none wants it. It attempts at once again when it has received as many releases as there
 * are others. No waiter is delayed by more than the backoff, and a lock that is free at its end is acquired.
 *
 * <p>Callers of {@code tryLock()} are not subscribed, whether of another client, of this one, or of Redisson. They find
 * the lock free only while it is. So a turn also ends, though seldom, when no other is known to be subscribed. The lock
 * is then free for the backoff, and for as long as the message and the attempt take: a caller that tries every 3 ms or
 * more often finds it free each time, which is three times a second; one that tries every 30 ms, each tenth time. It
 * costs a lock that is otherwise never free at least the backoff in every 300 ms, 1 %, and the time until handoffs flow
 * again.
 *
 * <p>If a lock is released because no owner waited here at that moment, and is acquired here again before another
 * client could, that is still the same turn. So the turns of a single thread that acquires the lock again each time, in
 * a client without waiters, are bounded as well if others are subscribed. The client knows that from the number of
 * clients that received the message of its release, and then has a queue although that is empty.
 *
 * <p>Only decides, and takes no action. Guarded by the {@link WaitQueue}.
 */
final class CohortBudget {
    /**
     * The longest turn while others are subscribed: long enough that the round trips between two turns are a small
     * part, short enough for the others to wait.
     */
    private static final long LONGEST_NANOS = Duration.ofMillis(15).toNanos();

    /** The longest turn when no other is known to be subscribed: {@link #BACKOFF} is to be a small part of it. */
    private static final long LONGEST_ALONE_NANOS = Duration.ofMillis(300).toNanos();

    /** Several times what a client that is woken through a thread needs until its attempt is at the server. */
    static final Duration BACKOFF = Duration.ofMillis(3);

    private enum State {
        WAITING,
        ON_TURN,
        STANDING_BACK
    }

    /** How to react to the message of a release. */
    enum Reaction {
        TRY,
        /** Another client has the lock now, or an attempt will find it free a little later. */
        SKIP
    }

    private State state = State.WAITING;

    /**
     * When the turn began. For a holder that had the lock before there were waiters, that is when the queue was
     * created.
     */
    private long beganNanos;

    /** When the lock was last really released. */
    private long endedNanos;

    /** When this client last began to back off. */
    private long stoodBackNanos;

    /** How many others have not had the lock since this client's turn; used in {@link State#STANDING_BACK}. */
    private int releasesToSkip;

    /** Whether the message of the release that ended this client's own turn is still to be received. */
    private boolean ownReleasePending;

    CohortBudget(long now) {
        beganNanos = now;
        endedNanos = now;
    }

    /** An attempt of this client was granted. A grant by handoff does not begin a turn, it is part of one. */
    void begin(long now) {
        if (state != State.ON_TURN || isOver(now)) {
            beganNanos = now;
        }
        state = State.ON_TURN;
    }

    /**
     * {@return whether the lock is to be released and not handed off} If so, this client backs off from now on.
     *
     * @param others how many others are known to be subscribed, this client's own queue not counted
     * @param listens whether this client is subscribed, and so receives the message of its own release
     */
    boolean exhausted(long now, int others, boolean listens) {
        long longest = others > 0 ? LONGEST_NANOS : LONGEST_ALONE_NANOS;
        if (now - beganNanos < longest) {
            return false;
        }
        standBack(now, others, listens);
        return true;
    }

    /**
     * The lock was granted to a client in line in place of being left free. For clients in line the line is the order,
     * without pauses. A client that joins no line goes on backing off: at the next release that leaves the lock free,
     * the other clients outside the line attempt first.
     *
     * @param joinsLines whether this client joins lines
     */
    void passedOn(boolean joinsLines) {
        if (joinsLines && state == State.STANDING_BACK) {
            state = State.WAITING;
        }
    }

    /**
     * The lock is released, or left free for clients that do not join the line: this client backs off from now on.
     *
     * @param others how many others there are
     * @param listens whether this client receives the message of that release
     */
    void standBack(long now, int others, boolean listens) {
        state = State.STANDING_BACK;
        stoodBackNanos = now;
        releasesToSkip = others;
        ownReleasePending = listens;
    }

    /** Another client has the lock: the next grant begins another turn. */
    void lost() {
        if (state == State.ON_TURN) {
            state = State.WAITING;
        }
    }

    /** The lock is being released. */
    void end(long now) {
        endedNanos = now;
    }

    /** {@return whether a grant would begin another turn, since the lock was released at least {@link #BACKOFF} ago} */
    boolean isOver(long now) {
        return now - endedNanos >= BACKOFF.toNanos();
    }

    boolean backsOff() {
        return state == State.STANDING_BACK;
    }

    /**
     * {@return whether a caller that arrives now is to wait before its first attempt} Not when this client has backed off
     * for a {@link #BACKOFF} already: the client that was to be first has the lock after that, or does not want it.
     */
    boolean delaysArrival(long now) {
        return backsOff() && now - stoodBackNanos < BACKOFF.toNanos();
    }

    /** The message of a release was received. */
    Reaction messageReceived() {
        if (state != State.STANDING_BACK) {
            return Reaction.TRY;
        }
        if (ownReleasePending) {
            ownReleasePending = false;
            return Reaction.SKIP;
        }
        releasesToSkip--;
        if (releasesToSkip > 0) {
            return Reaction.SKIP;
        }
        state = State.WAITING;
        return Reaction.TRY;
    }
}
