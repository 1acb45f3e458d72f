package dev.holdfast;

import dev.holdfast.redis.RedisLink;
import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Where work waits while there is no connection to Redis. Each piece is either resumed or given up, never both. */
final class Outage {
    private final Deadlines deadlines;
    private final Supplier<RedisLink> link;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Outage(Deadlines deadlines, Supplier<RedisLink> link) {
        this.deadlines = deadlines;
        this.link = link;
    }

    /**
     * Calls {@code resume} when there is a connection, at once if there is one, or {@code giveUp} at the given time, at once
     * if that has passed or the client is closed.
     */
    void await(Runnable resume, long untilNanos, Runnable giveUp) {
        Waiting entry = new Waiting(resume, giveUp);
        waiting.add(entry);
        if (closed || untilNanos - deadlines.nanoTime() <= 0) {
            entry.expired();
        } else if (link.get().isUp()) {
            entry.resume();
        } else {
            deadlines.schedule(entry, untilNanos);
            if (!waiting.contains(entry)) {
                deadlines.cancel(entry);
            }
        }
    }

    /** Calls {@code resume} with the next connection, at once if there is one, and never if the client is closed first. */
    void await(Runnable resume) {
        Waiting entry = new Waiting(resume, () -> {});
        waiting.add(entry);
        if (closed) {
            entry.expired();
        } else if (link.get().isUp()) {
            entry.resume();
        }
    }

    /** There is a connection again. */
    void over() {
        waiting.forEach(Waiting::resume);
    }

    /** There will be no connection any more: whoever waits for one gives up. */
    void close() {
        closed = true;
        waiting.forEach(Waiting::expired);
    }

    int size() {
        return waiting.size();
    }

    private final class Waiting extends Deadline {
        private final Runnable resume;
        private final Runnable giveUp;

        Waiting(Runnable resume, Runnable giveUp) {
            this.resume = resume;
            this.giveUp = giveUp;
        }

        void resume() {
            if (waiting.remove(this)) {
                deadlines.cancel(this);
                resume.run();
            }
        }

        @Override
        protected void expired() {
            if (waiting.remove(this)) {
                giveUp.run();
            }
        }
    }
}
