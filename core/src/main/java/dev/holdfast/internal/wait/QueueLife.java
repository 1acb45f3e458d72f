package dev.holdfast.internal.wait;

import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a {@link WaitQueue} accepts acquisitions, and how long it stays when it has nothing left to do.
 *
 * <pre>
 *          done                   the time is over, still done, and its turn need not be remembered
 *   OPEN --------> LINGERING ----------------------------------------------------------------------> RETIRED
 *    |  ^             |   |                                                                             ^
 *    |  +- otherwise -+   | the client is being closed                            done                  |
 *    +--------------------+---------------------------------------> CLOSING ----------------------------+
 *
 *   done: the queue is empty, no owner of this client holds the lock, no handoff is unanswered, no release is deferred
 * </pre>
 *
 * <p>Guarded by the queue.
 */
final class QueueLife {
    private enum State {
        OPEN,
        LINGERING,
        CLOSING,
        RETIRED
    }

    /**
     * How long an idle queue stays: the last holder of a contended lock is likely to acquire it again soon. If other
     * clients are subscribed, the queue stays for as long as the lock is acquired here again promptly, since it records
     * how long this client has had the lock.
     */
    private static final long LINGER_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * The same for a queue that listens to the line of clients. To return to the line takes one attempt if its channels
     * are still confirmed; otherwise an attempt, two subscriptions and another attempt.
     */
    private static final long LINGER_IN_LINE_NANOS = Duration.ofMillis(100).toNanos();

    private final Session session;

    /** Null until the queue lingers for the first time. */
    private @Nullable Deadline lingerEnd;

    private State state = State.OPEN;

    QueueLife(Session session) {
        this.session = session;
    }

    /** {@return whether the queue accepts no acquisition any more} */
    boolean isRetired() {
        return state == State.RETIRED;
    }

    /** {@return whether the client is being closed} */
    boolean isClosing() {
        return state == State.CLOSING;
    }

    /** The client is being closed: the queue does not linger any more. */
    void close() {
        if (state != State.RETIRED) {
            state = State.CLOSING;
        }
    }

    /**
     * {@return whether the queue, which is done, stays for a while; decided again after {@link #lingered}}
     *
     * @param over called without a monitor when the time is over, the same for each call; is to call {@link #lingered}
     * @param inLine whether the queue listens to the line of clients
     */
    boolean lingers(Runnable over, boolean inLine) {
        long nanos = inLine ? LINGER_IN_LINE_NANOS : LINGER_NANOS;
        if (state == State.OPEN && session.deadlines().schedule(lingerEnd(over), session.now() + nanos)) {
            state = State.LINGERING;
        }
        return state == State.LINGERING;
    }

    private Deadline lingerEnd(Runnable over) {
        Deadline known = lingerEnd;
        if (known == null) {
            known = Deadline.of(over);
            lingerEnd = known;
        }
        return known;
    }

    /** The time is over. */
    void lingered() {
        if (state == State.LINGERING) {
            state = State.OPEN;
        }
    }

    void retire() {
        state = State.RETIRED;
    }
}
