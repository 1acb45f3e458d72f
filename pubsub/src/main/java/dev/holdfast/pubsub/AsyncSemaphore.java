package dev.holdfast.pubsub;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore whose waiters are futures, first come, first served.
 *
 * <pre>
 *               release / wakeAll
 *     WAITING ---------------------> WOKEN (PERMIT or ALL) --leave--> its wake-up is passed to the next waiter
 *        |
 *        +--leave--> LEFT (null)
 *        +--close--> FAILED
 * </pre>
 *
 * <p>The future itself is that state, and every transition is its completion, which succeeds only once. The monitor
 * guards only the queue of waiters and the stored permits, and no waiter is completed under it: the actions attached to
 * a waiter run on the releasing thread and may call this object again. The price is that a waiter taken from the queue
 * may have left by the time it is woken; the wake-up is then passed to the next waiter.
 *
 * <p>A wake-up is never lost: it is delivered, or passed to the next waiter, or stored. There may be one too many, if a
 * waiter leaves after it has acted on its wake-up. An attempt in vain is cheap, while a lost wake-up costs the wait for
 * the rest of a lease.
 *
 * <p>A stored permit stands for a message that arrived between a failed attempt and the wait. Before its own attempt, a
 * caller discards the stored permits with {@link #drain}, since the attempt sees everything that they could announce.
 * So the bound only has to exceed the number of waiters that can be between attempt and wait at one moment.
 */
final class AsyncSemaphore {
    static final int MOST_STORED = 128;

    // Guarded by this. Permits are stored only while the queue is empty.

    /** Replaced by each change: a subscription has one waiter, mostly. */
    private List<Waiter> queue = List.of();

    private int permits;
    private @Nullable RuntimeException closed;

    /** {@return a waiter at the end of the queue, or one that is already woken by a stored permit} */
    Waiter acquire() {
        Waiter waiter = new Waiter();
        RuntimeException end;
        synchronized (this) {
            end = closed;
            if (end == null && permits == 0) {
                queue = queue.isEmpty()
                        ? List.of(waiter)
                        : Stream.concat(queue.stream(), Stream.of(waiter)).toList();
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
     * Removes {@code waiter} from the queue. If it had been woken, it has not acted on the wake-up, so the next waiter
     * is woken instead. Idempotent.
     */
    void leave(Waiter waiter) {
        waiter.complete(null);
        synchronized (this) {
            remove(waiter);
            if (waiter.handedBack || !waiter.isWoken()) {
                return;
            }
            waiter.handedBack = true;
        }
        release();
    }

    /** Wakes the first waiter of the queue, or stores a permit if there is none. */
    void release() {
        while (true) {
            Waiter waiter;
            synchronized (this) {
                if (queue.isEmpty()) {
                    permits = Math.min(permits + 1, MOST_STORED);
                    return;
                }
                waiter = queue.get(0);
                remove(waiter);
            }
            if (waiter.complete(Wakeup.PERMIT)) {
                return;
            }
        }
    }

    /** Wakes all waiters. If there are none, a permit is stored for a caller that may be about to join the queue. */
    void wakeAll() {
        boolean woken = false;
        for (Waiter waiter : takeAll()) {
            woken |= waiter.complete(Wakeup.ALL);
        }
        if (!woken) {
            release();
        }
    }

    /** {@return how many permits were stored} They are discarded. */
    synchronized int drain() {
        int drained = permits;
        permits = 0;
        return drained;
    }

    /** {@return the number of waiters in the queue} */
    synchronized int waiting() {
        return queue.size();
    }

    /** Fails all waiters of the queue and all future ones. */
    void close(RuntimeException reason) {
        synchronized (this) {
            closed = reason;
        }
        for (Waiter waiter : takeAll()) {
            waiter.completeExceptionally(reason);
        }
    }

    private synchronized List<Waiter> takeAll() {
        List<Waiter> all = queue;
        queue = List.of();
        return all;
    }

    private void remove(Waiter gone) {
        List<Waiter> left = new ArrayList<>(queue);
        left.remove(gone);
        queue = left.isEmpty() ? List.of() : left;
    }
}
