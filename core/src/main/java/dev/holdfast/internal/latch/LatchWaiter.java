package dev.holdfast.internal.latch;

import dev.holdfast.LatchGoneException;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.latch.LatchState.Verdict;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A call that waits for the opening of a latch.
 *
 * <pre>
 *            its first look shows a count      a look shows zero, or that its count was counted to zero
 *   CREATED ------------------------> WAITING -----------------------------------------------------------> OPEN
 *      |                                 |
 *      +--- the first look shows none ---+-------------------------------------------------------------------^
 *
 *   of the first two:  the time is over, and a recent look has shown a count ---> NOT OPEN
 *                      its count is gone, Redis refuses or does not answer, the client is closed ---> FAILED
 *                      interrupt, or its future was completed by its caller ---> LEFT
 * </pre>
 *
 * <p>The future is the state. The one thread that removes the waiter from its queue completes it.
 */
public final class LatchWaiter extends Deadline {
    /** Without an end. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    /** How long a reply that is in flight when the time is found to be over is still awaited. */
    private static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

    private final LatchQueue queue;
    private final Session session;
    private final long waitNanos;
    private final long startNanos;
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();

    /** The generation of the count that the first look has shown; 0 if it had none, -1 before. Guarded by the queue. */
    private long awaited = -1;

    /** Whether the time was found to be over. Timer's thread only. */
    private boolean over;

    LatchWaiter(LatchQueue queue, long waitNanos) {
        this.queue = queue;
        this.session = queue.session();
        this.waitNanos = waitNanos;
        this.startNanos = session.now();
    }

    // --- For the caller.

    /** {@return whether the latch is open, at the end of the wait; fails if that is not known} */
    public CompletableFuture<Boolean> future() {
        return open;
    }

    /** Waits no longer. The future is cancelled, unless it is complete. */
    public void leave() {
        if (queue.leave(this)) {
            session.deadlines().cancel(this);
            open.cancel(false);
        }
    }

    /**
     * Blocks until the wait has ended.
     *
     * @return whether the latch is open
     * @throws InterruptedException if the thread is interrupted before
     */
    public boolean join() throws InterruptedException {
        FlightEvents.Span wait =
                FlightEvents.latchAwait(queue.latch().name(), session.owners().clientId());
        Blocking.untilInterrupted(open);
        if (!open.isDone()) {
            leave();
        }
        wait.end(outcome());
        if (open.isCancelled()) {
            Thread.interrupted();
            throw new InterruptedException(
                    "interrupted while waiting for " + queue.latch().subject());
        }
        return Blocking.forResult(open);
    }

    /** {@return how it has ended, for a recording} */
    private String outcome() {
        return Blocking.forResult(open.handle((isOpen, why) -> {
            if (why instanceof LatchGoneException gone) {
                return gone.reason().name();
            }
            if (why != null) {
                return open.isCancelled() ? "INTERRUPTED" : "FAILED";
            }
            return isOpen ? "OPEN" : "TIMED_OUT";
        }));
    }

    // --- For the queue.

    boolean waitsForEver() {
        return waitNanos == FOR_EVER;
    }

    /** {@return whether its first look has shown a count} Under the monitor of the queue. */
    boolean isWaiting() {
        return awaited >= 0;
    }

    private long deadlineNanos() {
        return startNanos + waitNanos;
    }

    /** {@return what a look means that was sent since this waits} Under the monitor of the queue. */
    Verdict looked(LatchState seen) {
        if (awaited >= 0) {
            return seen.verdict(awaited);
        }
        awaited = seen.present();
        return seen.count() == 0 ? Verdict.OPEN : Verdict.WAIT;
    }

    /** Schedules the end of the wait, if it has one, and a look shortly before that, in case the last one is too old then. */
    void armDeadline() {
        if (!waitsForEver()) {
            long early = Math.min(session.commandTimeoutNanos(), waitNanos) / 2;
            session.deadlines().schedule(this, deadlineNanos() - early);
            cancelIfEnded();
        }
    }

    private void cancelIfEnded() {
        if (open.isDone()) {
            session.deadlines().cancel(this);
        }
    }

    /** It was removed from the queue, and ends with this verdict. */
    void end(Verdict verdict) {
        session.deadlines().cancel(this);
        switch (verdict) {
            case OPEN -> open.complete(true);
            case WAIT -> open.complete(false);
            case DELETED -> open.completeExceptionally(LatchExceptions.deleted(queue.latch()));
            case EXPIRED -> open.completeExceptionally(LatchExceptions.expired(queue.latch()));
        }
    }

    /** It was removed from the queue, and fails. */
    void fail(RuntimeException why) {
        session.deadlines().cancel(this);
        open.completeExceptionally(why);
    }

    @Override
    protected void expired() {
        long now = session.now();
        if (deadlineNanos() - now > 0) {
            queue.refresh(now);
            session.deadlines().schedule(this, deadlineNanos());
        } else if (queue.isSeen(now)) {
            if (queue.leave(this)) {
                end(Verdict.WAIT);
            }
        } else if (!over) {
            over = true;
            queue.refresh(now);
            session.deadlines().schedule(this, now + GRACE_NANOS);
        } else if (queue.leave(this)) {
            fail(session.exceptions().unanswered(queue.latch(), now - startNanos, queue.trouble()));
        }
        cancelIfEnded();
    }
}
