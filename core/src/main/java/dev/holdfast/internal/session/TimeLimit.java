package dev.holdfast.internal.session;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;

/**
 * The time by which a call has to end, and a moment longer: if the process was paused, a reply may lie in the socket,
 * unread, when the time is found to be over.
 */
public final class TimeLimit extends Deadline {
    private static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

    private final Deadlines deadlines;
    private final Runnable over;

    /** Whether the time was found to be over. Timer's thread only. */
    private boolean found;

    private TimeLimit(Deadlines deadlines, Runnable over) {
        this.deadlines = deadlines;
        this.over = over;
    }

    /**
     * {@return a limit that was scheduled, and is to be {@linkplain #cancel cancelled} when the call has ended}
     *
     * @param over ends the call
     */
    public static TimeLimit at(Deadlines deadlines, long nanoTime, Runnable over) {
        TimeLimit limit = new TimeLimit(deadlines, over);
        deadlines.schedule(limit, nanoTime);
        return limit;
    }

    /** {@return a limit that is never reached} */
    public static TimeLimit none(Deadlines deadlines) {
        return new TimeLimit(deadlines, () -> {});
    }

    public void cancel() {
        deadlines.cancel(this);
    }

    @Override
    protected void expired() {
        if (found) {
            over.run();
        } else {
            found = true;
            deadlines.schedule(this, deadlines.nanoTime() + GRACE_NANOS);
        }
    }
}
