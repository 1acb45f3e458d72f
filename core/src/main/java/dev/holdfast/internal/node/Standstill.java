package dev.holdfast.internal.node;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Holds pending work while Redis answers commands but does not execute them:
 * {@link dev.holdfast.internal.redis.NotExecutedException}. Each piece of work is either resumed or given up, never both.
 *
 * <p>The first entry of the queue tries for all. After a pause it is resumed, which sends its command again. If that is
 * not executed either, the entry returns to the end of the queue, the pause doubles, up to {@link #LONGEST}, and the
 * next entry tries. If the entry has not returned after a part of the pause, two entries are resumed, then four, and so
 * on, each time after the shortest pause. So Redis receives one command for each pause, however many entries wait, and
 * all are resumed within a few pauses once Redis executes commands again.
 *
 * <pre>
 *             await                     a pause is over: the first are resumed
 *   QUIET ------------> WAITING ---------------------------------------------> QUIET if the queue is empty
 *     ^                 |  ^  \------ a pause is over, some are left ---------> WAITING
 *     +--- given up, ---+  |
 *          the last one    +--- await
 * </pre>
 */
public final class Standstill {
    private static final long SHORTEST = Duration.ofMillis(10).toNanos();

    /** The longest pause, and so the longest delay in noticing the end of a standstill. */
    static final long LONGEST = Duration.ofMillis(200).toNanos();

    /** The fraction of a pause within which a resumed entry returns if its command is not executed again. */
    private static final int PART = 4;

    /** If no entry has come for so long, the last resumed commands were executed. */
    private static final long OVER = Duration.ofSeconds(1).toNanos();

    private final Deadlines deadlines;
    private final Deadline pauseEnd = Deadline.of(this::resumeFirst);

    // All below is guarded by this.
    private final Set<Waiting> line = new LinkedHashSet<>();
    private boolean closed;
    private long pauseNanos;
    private int share;

    /** The time at which the last entry came, since its command had not been executed. */
    private long cameNanos;

    /** Whether any entry has come since the last were resumed. */
    private boolean came;

    Standstill(Deadlines deadlines) {
        this.deadlines = deadlines;
        this.cameNanos = deadlines.nanoTime() - OVER;
    }

    /**
     * Calls {@code resume} after a pause, or {@code giveUp} at the given time, at once if that has passed or the client
     * is closed.
     */
    public void await(Runnable resume, long untilNanos, Runnable giveUp) {
        Waiting entry = new Waiting(resume, giveUp);
        long now = deadlines.nanoTime();
        boolean waits;
        synchronized (this) {
            waits = !closed && untilNanos - now > 0;
            if (waits) {
                boolean first = !came;
                came(now);
                line.add(entry);
                waits = deadlines.schedule(entry, untilNanos) && (!first || pause(pauseNanos));
            }
            if (!waits) {
                line.remove(entry);
            }
        }
        if (!waits) {
            deadlines.cancel(entry);
            giveUp.run();
        }
    }

    private void came(long now) {
        if (now - cameNanos >= OVER && line.isEmpty()) {
            pauseNanos = SHORTEST;
        } else if (!came) {
            pauseNanos = Math.min(2 * pauseNanos, LONGEST);
        }
        came = true;
        share = 1;
        cameNanos = now;
    }

    /** Begins a pause, with jitter so that clients do not retry at the same moment. False if the timer is closed. */
    private boolean pause(long nanos) {
        long shorter = ThreadLocalRandom.current().nextLong(nanos / 4);
        return deadlines.schedule(pauseEnd, deadlines.nanoTime() + nanos - shorter);
    }

    private void resumeFirst() {
        List<Waiting> first = new ArrayList<>();
        synchronized (this) {
            if (!came) {
                pauseNanos = SHORTEST;
                share = Math.min(2 * share, line.size());
            }
            came = false;
            Iterator<Waiting> all = line.iterator();
            while (all.hasNext() && first.size() < share) {
                first.add(all.next());
                all.remove();
            }
            if (!line.isEmpty()) {
                pause(Math.max(SHORTEST, pauseNanos / PART));
            }
        }
        first.forEach(Waiting::proceed);
    }

    /** No command will be executed any more: all entries are given up. */
    void close() {
        List<Waiting> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(line);
        }
        all.forEach(Waiting::expired);
    }

    synchronized int size() {
        return line.size();
    }

    private final class Waiting extends PendingWork {
        Waiting(Runnable resume, Runnable giveUp) {
            super(deadlines, resume, giveUp);
        }

        @Override
        boolean leave() {
            synchronized (Standstill.this) {
                return line.remove(this);
            }
        }
    }
}
