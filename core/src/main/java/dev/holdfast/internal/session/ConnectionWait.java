package dev.holdfast.internal.session;

import dev.holdfast.internal.redis.Call;
import dev.holdfast.watchdog.Deadlines;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Holds pending work while there is no connection to Redis, or while Redis does not execute commands. Each piece of
 * work is either resumed or given up, never both.
 */
public final class ConnectionWait {
    private final Deadlines deadlines;
    private final BooleanSupplier connected;
    private final Standstill standstill;
    /** In the order in which they began to wait, and are resumed. */
    private final Set<Waiting> waiting = new ConcurrentSkipListSet<>(Comparator.comparingLong(entry -> entry.number));

    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    public ConnectionWait(Deadlines deadlines, BooleanSupplier connected) {
        this.deadlines = deadlines;
        this.connected = connected;
        this.standstill = new Standstill(deadlines);
    }

    /** {@return the waits of commands that Redis did not execute, until they may be sent again} */
    public Standstill standstill() {
        return standstill;
    }

    /**
     * Calls {@code resume} when a call that had no effect, or an unknown one, may be sent again; otherwise as below.
     */
    public void await(Call failed, Runnable resume, long untilNanos, Runnable giveUp) {
        if (failed.outcome() == Call.Outcome.NOT_EXECUTED) {
            standstill.await(resume, untilNanos, giveUp);
        } else {
            await(resume, untilNanos, giveUp);
        }
    }

    /**
     * Calls {@code resume} when there is a connection, at once if there is one, or {@code giveUp} at the given time, at
     * once if that has passed or the client is closed.
     */
    public void await(Runnable resume, long untilNanos, Runnable giveUp) {
        Waiting entry = new Waiting(resume, giveUp);
        waiting.add(entry);
        if (closed || untilNanos - deadlines.nanoTime() <= 0) {
            entry.expired();
        } else if (connected.getAsBoolean()) {
            entry.resume();
        } else {
            deadlines.schedule(entry, untilNanos);
            if (!waiting.contains(entry)) {
                deadlines.cancel(entry);
            }
        }
    }

    /**
     * Calls {@code resume} with the next connection, at once if there is one, and never if the client is closed first.
     */
    public void await(Runnable resume) {
        Waiting entry = new Waiting(resume, () -> {});
        waiting.add(entry);
        if (closed) {
            entry.expired();
        } else if (connected.getAsBoolean()) {
            entry.resume();
        }
    }

    /**
     * There is a connection again: what waits is resumed, in order. If that is lost at once, what begins to wait again
     * meanwhile waits for the next one.
     */
    public void over() {
        long last = numbers.get();
        for (Waiting entry : waiting) {
            if (entry.number > last) {
                return;
            }
            entry.resume();
        }
    }

    /** There will be no connection any more: all pending work is given up. */
    public void close() {
        closed = true;
        waiting.forEach(Waiting::expired);
        standstill.close();
    }

    public int size() {
        return waiting.size() + standstill.size();
    }

    private final class Waiting extends PendingWork {
        private final long number = numbers.incrementAndGet();

        Waiting(Runnable resume, Runnable giveUp) {
            super(deadlines, resume, giveUp);
        }

        @Override
        boolean leave() {
            return waiting.remove(this);
        }
    }
}
