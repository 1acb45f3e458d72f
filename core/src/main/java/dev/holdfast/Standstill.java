package dev.holdfast;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where work waits while Redis answers but does not execute it: {@link dev.holdfast.redis.NotExecutedException}. Each piece is
 * either resumed or given up, never both.
 *
 * <p>The first in line tries for all. After a pause it is resumed, which sends its command again; if that is not executed
 * either, it comes back to the end of the line, the pause doubles, up to {@link #LONGEST}, and the next one tries. If it has not
 * come back after a part of the pause, two are resumed, then four, and so on, after the shortest pause each. So however many
 * wait, Redis sees one command for each pause, and all are resumed within a few pauses when it executes them again.
 *
 * <pre>
 *             await                     a pause is over: the first go
 *   QUIET ------------> WAITING --------------------------------------> QUIET if the line is empty
 *     ^                 |  ^  \------ a pause is over, some are left --> WAITING
 *     +--- given up, ---+  |
 *          the last one    +--- await
 * </pre>
 */
final class Standstill {
    private static final Logger log = LoggerFactory.getLogger(Standstill.class);

    private static final long SHORTEST = Duration.ofMillis(10).toNanos();

    /** The longest pause: what the end of a standstill may be noticed late by. */
    static final long LONGEST = Duration.ofMillis(200).toNanos();

    /** The part of a pause in which one that is resumed comes back, if its command is not executed again. */
    private static final int PART = 4;

    /** One that is resumed and has not come back for so long was executed. */
    private static final long OVER = Duration.ofSeconds(1).toNanos();

    private final Deadlines deadlines;
    private final Deadline pauseEnd = new Deadline() {
        @Override
        protected void expired() {
            resumeFirst();
        }
    };

    // All below is guarded by this.
    private final Set<Waiting> line = new LinkedHashSet<>();
    private boolean closed;
    private long pauseNanos;
    private int share;

    /** When the last one came: its command had not been executed. */
    private long cameNanos;

    /** Whether any has come since the last were resumed. */
    private boolean came;

    Standstill(Deadlines deadlines) {
        this.deadlines = deadlines;
        this.cameNanos = deadlines.nanoTime() - OVER;
    }

    /**
     * Calls {@code resume} after a pause, or {@code giveUp} at the given time, at once if that has passed or the client is
     * closed.
     */
    void await(Runnable resume, long untilNanos, Runnable giveUp) {
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

    /** Not all clients are to come back at the same moment. False if there will be no end to the pause. */
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
        first.forEach(Waiting::resume);
    }

    /** Nothing will be executed any more: whoever waits gives up. */
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

    private synchronized boolean leave(Waiting entry) {
        return line.remove(entry);
    }

    private final class Waiting extends Deadline {
        private final Runnable resume;
        private final Runnable giveUp;

        Waiting(Runnable resume, Runnable giveUp) {
            this.resume = resume;
            this.giveUp = giveUp;
        }

        /** It has left the line. What it throws has nobody to go to, and must not keep the others waiting. */
        void resume() {
            deadlines.cancel(this);
            try {
                resume.run();
            } catch (Throwable e) {
                log.error("Work could not be resumed when Redis was to execute it again", e);
            }
        }

        @Override
        protected void expired() {
            if (leave(this)) {
                giveUp.run();
            }
        }
    }
}
