package dev.holdfast.internal.node;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that waits, in the order of its arrival. Each piece is either resumed or given up, never both. What it throws is
 * logged: no caller could handle that, and it must not keep other work waiting.
 */
final class PendingWork {
    private static final Logger log = LoggerFactory.getLogger(PendingWork.class);

    private final Deadlines deadlines;
    private final Set<Entry> waiting = new ConcurrentSkipListSet<>(Comparator.comparingLong(entry -> entry.number));
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    PendingWork(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Adds a piece of work, to be resumed at once if {@code resumes}, which is called when it has been added, so that no
     * {@link #resume} is missed. It is given up at the given time, at once if that has passed or this is closed.
     */
    void add(Runnable resume, BooleanSupplier resumes, long untilNanos, Runnable giveUp) {
        Entry entry = new Entry(resume, giveUp);
        if (untilNanos - deadlines.nanoTime() <= 0) {
            entry.giveUp();
            return;
        }
        if (add(entry, resumes) && !deadlines.schedule(entry, untilNanos)) {
            entry.expired();
        }
        if (!waiting.contains(entry)) {
            deadlines.cancel(entry);
        }
    }

    /** The same for work that is not given up, but dropped when this is closed. */
    void add(Runnable resume, BooleanSupplier resumes) {
        add(new Entry(resume, () -> {}), resumes);
    }

    /** {@return whether it waits} */
    private boolean add(Entry entry, BooleanSupplier resumes) {
        waiting.add(entry);
        if (closed) {
            entry.expired();
        } else if (resumes.getAsBoolean()) {
            entry.resume();
        } else {
            return true;
        }
        return false;
    }

    /** Resumes the first pieces of work, at most so many; not what is added while they are resumed. */
    void resume(int most) {
        long last = numbers.get();
        int left = most;
        for (Entry entry : waiting) {
            if (entry.number > last || left-- == 0) {
                return;
            }
            entry.resume();
        }
    }

    /** Gives up all work, and what is added from now on. */
    void close() {
        closed = true;
        waiting.forEach(Entry::expired);
    }

    int size() {
        return waiting.size();
    }

    private final class Entry extends Deadline {
        private final long number = numbers.incrementAndGet();
        private final Runnable resume;
        private final Runnable giveUp;

        Entry(Runnable resume, Runnable giveUp) {
            this.resume = resume;
            this.giveUp = giveUp;
        }

        void resume() {
            if (waiting.remove(this)) {
                deadlines.cancel(this);
                run(resume, "resumed");
            }
        }

        @Override
        protected void expired() {
            if (waiting.remove(this)) {
                giveUp();
            }
        }

        void giveUp() {
            run(giveUp, "given up");
        }

        private static void run(Runnable action, String how) {
            try {
                action.run();
            } catch (Throwable e) {
                log.error("A command that waited for Redis threw an exception when it was {}", how, e);
            }
        }
    }
}
