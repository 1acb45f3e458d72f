package dev.holdfast.pubsub;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore whose waiters are futures, first come, first served.
 *
 * <pre>
 *               release / wakeAll
 *     WAITING ---------------------> WOKEN (PERMIT or ALL) --leave--> its wake-up goes to the next in line
 *        |
 *        +--leave--> CANCELLED
 *        +--close--> FAILED
 * </pre>
 *
 * <p>The future itself is that state, and its completion, which only one can win, is every transition. The monitor guards
 * nothing but the line and the stored permits, and nobody is completed under it: what hangs on a waiter runs on the
 * releasing thread and may come straight back here. The price is that a waiter taken from the line may have left by the
 * time it is woken; the wake-up then moves on to the next.
 *
 * <p>A wake-up is never lost: it is delivered, or passed on, or stored. It may be given once too often, to a waiter that
 * leaves after it has acted; a try in vain is cheap, a wake-up lost is a lease waited out.
 *
 * <p>Stored permits answer a message that came between a failed try and the wait. Whoever tries next discards them with
 * {@link #drain} before its own try, which sees all that they could tell. So the bound only has to exceed the number of
 * waiters that can be between try and wait at one moment.
 */
final class AsyncSemaphore {
    static final int MOST_STORED = 128;

    // Guarded by this. Permits are stored only while the line is empty.
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int waiting;
    private int permits;
    private @Nullable RuntimeException closed;

    /** {@return a waiter at the end of the line, or already woken by a stored permit} */
    Waiter acquire() {
        Waiter waiter = new Waiter();
        RuntimeException end;
        synchronized (this) {
            end = closed;
            if (end == null && permits == 0) {
                append(waiter);
                return waiter;
            }
            if (end == null) {
                permits--;
            }
        }
        if (end == null) {
            waiter.complete(Wakeup.PERMIT);
        } else {
            waiter.completeExceptionally(end);
        }
        return waiter;
    }

    /**
     * Takes {@code waiter} out of the line. If it had been woken, it has not acted on it, so the next one is told in its
     * place. Doing this twice is doing it once.
     */
    void leave(Waiter waiter) {
        boolean inTime = waiter.cancel(false);
        synchronized (this) {
            if (waiter.linked) {
                unlink(waiter);
            }
            if (inTime || waiter.handedBack || waiter.isCompletedExceptionally()) {
                return;
            }
            waiter.handedBack = true;
        }
        release();
    }

    /** Wakes the first in line, or stores a permit if there is none. */
    void release() {
        while (true) {
            Waiter waiter;
            synchronized (this) {
                waiter = first;
                if (waiter == null) {
                    permits = Math.min(permits + 1, MOST_STORED);
                    return;
                }
                unlink(waiter);
            }
            if (waiter.complete(Wakeup.PERMIT)) {
                return;
            }
        }
    }

    /** Wakes everyone in line. If nobody is, a permit is stored for the one who may be about to join it. */
    void wakeAll() {
        boolean heard = false;
        for (Waiter waiter : takeLine()) {
            heard |= waiter.complete(Wakeup.ALL);
        }
        if (!heard) {
            release();
        }
    }

    /** {@return how many permits were stored; they are discarded} */
    synchronized int drain() {
        int drained = permits;
        permits = 0;
        return drained;
    }

    /** {@return the number of waiters in line} */
    synchronized int waiting() {
        return waiting;
    }

    /** Fails everyone in line and everyone to come. */
    void close(RuntimeException reason) {
        synchronized (this) {
            closed = reason;
        }
        for (Waiter waiter : takeLine()) {
            waiter.completeExceptionally(reason);
        }
    }

    private synchronized List<Waiter> takeLine() {
        List<Waiter> line = new ArrayList<>(waiting);
        for (Waiter waiter = first; waiter != null; waiter = first) {
            unlink(waiter);
            line.add(waiter);
        }
        return line;
    }

    private void append(Waiter waiter) {
        waiter.linked = true;
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        waiting++;
    }

    private void unlink(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.linked = false;
        waiting--;
    }
}
