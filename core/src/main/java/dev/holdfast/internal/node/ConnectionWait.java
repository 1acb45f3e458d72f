package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.watchdog.Deadlines;
import java.util.function.Predicate;

/** Holds pending work while there is no connection to Redis, or while Redis does not execute commands. */
public final class ConnectionWait {
    private final Predicate<SynchronizerKey> resumes;
    private final PendingWork waiting;
    private final Standstill standstill;

    /**
     * @param resumes whether there is a connection, or this lock has another home by now: it is asked when the work has been
     *     added to what waits, so a move that ends the wait of all just before is not missed
     */
    public ConnectionWait(Deadlines deadlines, Predicate<SynchronizerKey> resumes) {
        this.resumes = resumes;
        this.waiting = new PendingWork(deadlines);
        this.standstill = new Standstill(deadlines);
    }

    /** {@return the waits of commands that Redis did not execute, until they may be sent again} */
    public Standstill standstill() {
        return standstill;
    }

    /**
     * Calls {@code resume} when a call that had no effect, or an unknown one, may be sent again; otherwise as below.
     */
    public void await(SynchronizerKey lock, Call failed, Runnable resume, long untilNanos, Runnable giveUp) {
        if (failed.outcome() == Call.Outcome.NOT_EXECUTED) {
            standstill.await(resume, untilNanos, giveUp);
        } else {
            await(lock, resume, untilNanos, giveUp);
        }
    }

    /**
     * Calls {@code resume} when there is a connection, at once if there is one or the lock has another home by now, or
     * {@code giveUp} at the given time, at once if that has passed or the client is closed.
     */
    public void await(SynchronizerKey lock, Runnable resume, long untilNanos, Runnable giveUp) {
        waiting.add(resume, () -> resumes.test(lock), untilNanos, giveUp);
    }

    /**
     * Calls {@code resume} with the next connection, at once if there is one or the lock has another home by now, and never
     * if the client is closed first.
     */
    public void await(SynchronizerKey lock, Runnable resume) {
        waiting.add(resume, () -> resumes.test(lock));
    }

    /**
     * There is a connection again, or locks have another home by now: what waits is resumed, in order. If the connection is
     * lost at once, what begins to wait again during this call waits for the next one.
     */
    public void over() {
        waiting.resume(Integer.MAX_VALUE);
    }

    /** There will be no connection any more: all pending work is given up. */
    public void close() {
        waiting.close();
        standstill.close();
    }

    public int size() {
        return waiting.size() + standstill.size();
    }
}
