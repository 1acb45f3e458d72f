package dev.holdfast.internal.report;

import dev.holdfast.HoldfastEvent;
import dev.holdfast.HoldfastStats.Counter;
import dev.holdfast.LockListener;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events that were not delivered to a listener yet, in order and bounded. Each listener has its own mailbox, so
 * that a slow one does not delay the others.
 *
 * <pre>
 *          an event is added             the executor begins
 *   EMPTY -----------------> SUBMITTED ----------------------> DELIVERING
 *     ^                            ^                           |    |
 *     |                            +--- its share is done -----+    |
 *     +---------------------------------- no event is left ---------+
 * </pre>
 *
 * <p>At most one delivery is submitted or running at a time. It yields to other callbacks after its share, which is
 * {@link #SHARE} events or the first that takes it past {@link #SHARE_NANOS}. Otherwise a listener that gets more
 * events than it can process would occupy the only thread of a small executor for ever.
 *
 * <p>When the mailbox is full, new events are dropped and not the oldest ones: the delivered events then have no gap
 * but the one at the end, and a drop costs no search. Alarms have room of their own on top of the routine events.
 */
final class Mailbox {
    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

    /** The number of waiting events from which on routine ones are dropped. */
    static final int ROUTINE = 10_000;

    /** The number of waiting events from which on alarms are dropped as well. */
    static final int ALL = 2 * ROUTINE;

    private static final int SHARE = 64;
    private static final long SHARE_NANOS = 1_000_000;

    private final LockListener listener;
    private final Callbacks callbacks;
    private final Counters counters;

    /** Guarded by this. */
    private final Deque<HoldfastEvent> events = new ArrayDeque<>();

    /** Whether a delivery is submitted or running. Guarded by this. */
    private boolean delivering;

    /** Guarded by this. */
    private boolean warned;

    Mailbox(LockListener listener, Callbacks callbacks, Counters counters) {
        this.listener = listener;
        this.callbacks = callbacks;
        this.counters = counters;
    }

    /** Appends an event, or drops it; {@link #deliver} must follow. */
    void put(HoldfastEvent event) {
        boolean first;
        synchronized (this) {
            if (events.size() < (event.isAlarm() ? ALL : ROUTINE)) {
                events.add(event);
                return;
            }
            first = !warned;
            warned = true;
        }
        counters.count(Counter.DROPPED_EVENTS);
        if (first) {
            log.warn(
                    "{} is too slow: {} events wait for it, and further ones are dropped; HoldfastStats counts them",
                    listener,
                    ROUTINE);
        }
    }

    /** Submits a delivery, unless one is submitted or running, or there is no event. */
    void deliver() {
        synchronized (this) {
            if (delivering || events.isEmpty()) {
                return;
            }
            delivering = true;
        }
        callbacks.run(this::deliverShare);
    }

    private void deliverShare() {
        long began = System.nanoTime();
        int delivered = 0;
        do {
            HoldfastEvent event = next();
            if (event == null) {
                return;
            }
            deliver(event);
            delivered++;
        } while (delivered < SHARE && System.nanoTime() - began < SHARE_NANOS);
        callbacks.run(this::deliverShare);
    }

    private synchronized @Nullable HoldfastEvent next() {
        HoldfastEvent event = events.poll();
        delivering = event != null;
        return event;
    }

    private void deliver(HoldfastEvent event) {
        try {
            event.deliverTo(listener);
        } catch (Throwable e) {
            log.warn("The lock listener threw", e);
        }
    }
}
