package dev.holdfast.redis;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a connection whose oldest call has had no answer for the command timeout. One deadline for all calls: it looks at
 * the oldest, and sleeps while there is none.
 *
 * <p>A call that is overdue is looked at twice. If this whole process stood still, the answer may lie in the socket unread,
 * and the timer may be the first to run again; or the machine is so busy that the I/O thread waits for a processor. It gets
 * an eighth of the timeout to read something, and each time that it does, another.
 */
final class ReplyTimeout extends Deadline {
    private static final int LOOKS_PER_TIMEOUT = 8;

    private static final long SHORTEST_LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private final Deadlines deadlines;
    private final long timeoutNanos;
    private final long secondLookNanos;
    private final Supplier<@Nullable Epoch> current;
    private final BiConsumer<Epoch, Call> onSilence;

    /** Whether this deadline is scheduled. */
    private final AtomicBoolean watching = new AtomicBoolean();

    /** The call that was overdue at the last look; used on the timer's thread only. */
    private @Nullable Call suspect;

    /** @param onSilence told once of a call that stays without answer, and of the epoch it was sent in */
    ReplyTimeout(
            Deadlines deadlines,
            Duration timeout,
            Supplier<@Nullable Epoch> current,
            BiConsumer<Epoch, Call> onSilence) {
        this.deadlines = deadlines;
        this.timeoutNanos = timeout.toNanos();
        this.secondLookNanos = Math.max(SHORTEST_LOOK_NANOS, timeoutNanos / LOOKS_PER_TIMEOUT);
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
            deadlines.schedule(this, now + secondLookNanos);
        } else {
            suspect = null;
            watching.set(false);
            onSilence.accept(epoch, oldest);
        }
    }

    /** Nothing is in flight. A call that comes between that look and this must not go unwatched. */
    private void rest() {
        suspect = null;
        watching.set(false);
        Epoch epoch = current.get();
        if (epoch != null && epoch.oldest() != null) {
            sent(deadlines.nanoTime());
        }
    }
}
