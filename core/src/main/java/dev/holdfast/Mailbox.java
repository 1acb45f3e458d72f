package dev.holdfast;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events that one listener has yet to be told, in order, and at most so many. Each listener has its own, so that a slow
 * one delays no other.
 *
 * <pre>
 *          an event is there             the executor begins
 *   EMPTY -----------------> ASKED FOR ----------------------> TELLING
 *     ^                       |    ^                           |    |
 *     |  the executor refuses |    +--- its share is told -----+    |
 *     +-----------------------+---------- no event is left ---------+
 * </pre>
 *
 * <p>There is one delivery at a time, asked for or telling. It makes way for other callbacks after its share, which is
 * {@link #SHARE} events or the first that takes it past {@link #SHARE_NANOS}: or a listener that is told more than it can take
 * would keep the only thread of a small executor for ever.
 *
 * <p>What does not fit is dropped, and not what has waited for longest: so what a listener is told has no gaps but the one at
 * the end, and to drop costs no search. Alarms have room of their own on top of the routine events.
 */
final class Mailbox {
    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

    /** How many events may wait before routine ones are dropped. */
    static final int ROUTINE = 10_000;

    /** How many events may wait before alarms are dropped as well. */
    static final int ALL = 2 * ROUTINE;

    private static final int SHARE = 64;
    private static final long SHARE_NANOS = 1_000_000;

    private final LockListener listener;
    private final Callbacks callbacks;
    private final Counters counters;

    /** Guarded by this. */
    private final Deque<HoldfastEvent> events = new ArrayDeque<>();

    /** Whether a delivery is asked for or telling. Guarded by this. */
    private boolean delivering;

    /** Guarded by this. */
    private boolean warned;

    Mailbox(LockListener listener, Callbacks callbacks, Counters counters) {
        this.listener = listener;
        this.callbacks = callbacks;
        this.counters = counters;
    }

    /** Adds an event behind those that are there, or drops it; {@link #deliver} is owed. */
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
        counters.count(Count.DROPPED_EVENTS);
        if (first) {
            log.warn(
                    "{} is too slow: {} events wait for it, and further ones are dropped; HoldfastStats counts them",
                    listener,
                    ROUTINE);
        }
    }

    /** Has what is there told, unless that is under way. */
    void deliver() {
        synchronized (this) {
            if (delivering || events.isEmpty()) {
                return;
            }
            delivering = true;
        }
        callbacks.run(this::tellShare, this::refused);
    }

    private void tellShare() {
        long began = System.nanoTime();
        int told = 0;
        do {
            HoldfastEvent event = next();
            if (event == null) {
                return;
            }
            tell(event);
            told++;
        } while (told < SHARE && System.nanoTime() - began < SHARE_NANOS);
        callbacks.run(this::tellShare, this::refused);
    }

    private synchronized @Nullable HoldfastEvent next() {
        HoldfastEvent event = events.poll();
        delivering = event != null;
        return event;
    }

    private void tell(HoldfastEvent event) {
        try {
            event.tell(listener);
        } catch (Throwable e) {
            log.warn("The lock listener threw", e);
        }
    }

    private void refused(Throwable why) {
        int dropped;
        synchronized (this) {
            dropped = events.size();
            events.clear();
            delivering = false;
        }
        counters.count(Count.DROPPED_EVENTS, dropped);
        log.warn("The callback executor refuses events for the listener; {} are dropped", dropped, why);
    }
}
