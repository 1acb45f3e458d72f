package dev.holdfast.internal.redis;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a connection whose oldest call has had no answer for the command timeout. One deadline serves all calls: it
 * checks the oldest, and is not scheduled while there is none.
 *
 * <p>A call that is overdue is checked twice. If the whole process was paused, the answer may be in the socket, unread,
 * while the timer is the first thread to run again; or the machine may be so busy that the I/O thread waits for a
 * processor. The I/O thread therefore gets an eighth of the timeout to read something, and as much again each time it
 * does.
 *
 * @see "PausedServerTest, BlackHoleTest"
 */
final class ReplyTimeout extends Deadline {
    private static final int CHECKS_PER_TIMEOUT = 8;

    private static final long SHORTEST_CHECK_NANOS = Duration.ofMillis(20).toNanos();

    private final Deadlines deadlines;
    private final long timeoutNanos;
    private final long secondCheckNanos;
    private final Supplier<@Nullable Epoch> current;
    private final BiConsumer<Epoch, Call> onSilence;

    /** Whether this deadline is scheduled. */
    private final AtomicBoolean watching = new AtomicBoolean();

    /** The call that was overdue at the last check; used on the timer's thread only. */
    private @Nullable Call suspect;

    /** @param onSilence called once with a call that has no answer in time, and the epoch it was sent in */
    ReplyTimeout(
            Deadlines deadlines,
            Duration timeout,
            Supplier<@Nullable Epoch> current,
            BiConsumer<Epoch, Call> onSilence) {
        this.deadlines = deadlines;
        this.timeoutNanos = timeout.toNanos();
        this.secondCheckNanos = Math.max(SHORTEST_CHECK_NANOS, timeoutNanos / CHECKS_PER_TIMEOUT);
        this.current = current;
        this.onSilence = onSilence;
    }

    /** A call was sent. */
    void sent(long nowNanos) {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            deadlines.schedule(this, nowNanos + timeoutNanos);
        }
    }

    boolean isScheduled() {
        return watching.get();
    }

    void stop() {
        deadlines.cancel(this);
    }

    @Override
    protected void expired() {
        Epoch epoch = current.get();
        Call oldest = epoch == null ? null : epoch.oldest();
        if (epoch == null || oldest == null) {
            rest();
            return;
        }
        long now = deadlines.nanoTime();
        long dueNanos = oldest.sentNanos() + timeoutNanos;
        if (dueNanos - now > 0) {
            deadlines.schedule(this, dueNanos);
        } else if (oldest != suspect) {
            suspect = oldest;
            deadlines.schedule(this, now + secondCheckNanos);
        } else {
            suspect = null;
            watching.set(false);
            onSilence.accept(epoch, oldest);
        }
    }

    /** No call is in flight. Checks again, since a call that was sent between has not scheduled this deadline. */
    private void rest() {
        suspect = null;
        watching.set(false);
        Epoch epoch = current.get();
        if (epoch != null && epoch.oldest() != null) {
            sent(deadlines.nanoTime());
        }
    }
}
