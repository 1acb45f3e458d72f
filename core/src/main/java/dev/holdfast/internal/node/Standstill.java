package dev.holdfast.internal.node;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The gate of a node for commands that Redis has answered without executing them: {@link
 * dev.holdfast.internal.redis.NotExecutedException}. They wait behind it, each until it is resumed or given up.
 *
 * <pre>
 *            a command was not executed                     the pause ends, and another one was not executed during it:
 *   OPEN --------------------------------> CLOSED ----+     the first {@link #MOST} are resumed, the next pause is twice
 *     ^                                    |    ^     |     as long, up to {@link #LONGEST}
 *     |                                    |    +-----+
 *     +------------------------------------+
 *       the pause ends, and none of the commands that were resumed at its beginning has come back: all others are resumed
 * </pre>
 *
 * <p>So however many commands wait, Redis receives {@link #MOST} of them for each pause, and all within two pauses once it
 * executes commands again. The price of concluding that from silence is up to {@link #LONGEST} for the others, and one
 * attempt of all if a reply takes longer than a pause. Commands that have not failed yet are not held back.
 */
public final class Standstill {
    private static final long SHORTEST = Duration.ofMillis(10).toNanos();

    /** The longest pause. */
    static final long LONGEST = Duration.ofMillis(200).toNanos();

    /** How many are resumed at the end of a pause. */
    static final int MOST = 8;

    private final Deadlines deadlines;
    private final PendingWork waiting;
    private final Deadline pauseEnd = Deadline.of(this::pauseEnded);

    /** The length of the present pause; 0 while the gate is open. Guarded by this, as is the next one. */
    private long pauseNanos;

    /** Whether a command has come since the present pause began, or has begun it. */
    private boolean failed;

    Standstill(Deadlines deadlines) {
        this.deadlines = deadlines;
        this.waiting = new PendingWork(deadlines);
    }

    /**
     * Calls {@code resume} after a pause, or {@code giveUp} at the given time, at once if that has passed or the client
     * is closed.
     */
    public void await(Runnable resume, long untilNanos, Runnable giveUp) {
        waiting.add(resume, () -> false, untilNanos, giveUp);
        synchronized (this) {
            failed = true;
            if (pauseNanos == 0) {
                pause(SHORTEST);
            }
        }
    }

    private void pauseEnded() {
        int most;
        synchronized (this) {
            most = failed ? MOST : Integer.MAX_VALUE;
            pause(failed ? Math.min(2 * pauseNanos, LONGEST) : 0);
            failed = false;
        }
        waiting.resume(most);
    }

    /** Begins a pause, with jitter so that clients do not retry at the same moment; none if it is of length 0. */
    private void pause(long nanos) {
        pauseNanos = nanos;
        if (nanos > 0) {
            long shorter = ThreadLocalRandom.current().nextLong(nanos / 4);
            deadlines.schedule(pauseEnd, deadlines.nanoTime() + nanos - shorter);
        }
    }

    /** No command will be executed any more: all work is given up. */
    void close() {
        waiting.close();
    }

    int size() {
        return waiting.size();
    }
}
