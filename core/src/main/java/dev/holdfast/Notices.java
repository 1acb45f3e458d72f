package dev.holdfast;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what happens, and tells the user's listener: one event after the other, in order, on the callback executor. */
final class Notices {
    private static final Logger log = LoggerFactory.getLogger(Notices.class);

    private final LockListener listener;
    private final boolean anyoneListens;
    private final Callbacks callbacks;
    private final Owners owners;
    private final LongAdder acquired = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder unknownOutcomes = new LongAdder();
    private final LongAdder renewals = new LongAdder();

    /** Guarded by itself. */
    private final Deque<Consumer<LockListener>> events = new ArrayDeque<>();

    /** Whether a task is on the executor that will take all events. Guarded by {@link #events}. */
    private boolean telling;

    Notices(LockListener listener, Callbacks callbacks, Owners owners) {
        this.listener = listener;
        this.anyoneListens = listener != Settings.NO_LISTENER;
        this.callbacks = callbacks;
        this.owners = owners;
    }

    void acquired(Hold hold) {
        acquired.increment();
        if (anyoneListens) {
            tell(to -> to.acquired(lock(hold), owner(hold)));
        }
    }

    void waited(Acquisition acquisition, boolean granted) {
        if (anyoneListens) {
            Duration waited = Duration.ofNanos(acquisition.engine().now() - acquisition.startNanos());
            tell(to -> to.waited(acquisition.lock().name(), owners.name(acquisition.ownerId()), waited, granted));
        }
    }

    void released(Hold hold) {
        if (anyoneListens) {
            Duration held = Duration.ofNanos(hold.lane().engine().now() - hold.sinceNanos());
            tell(to -> to.released(lock(hold), owner(hold), held));
        }
    }

    void renewed(Hold hold) {
        renewals.increment();
        if (anyoneListens) {
            tell(to -> to.renewed(lock(hold), owner(hold)));
        }
    }

    void atRisk(Hold hold, Duration remaining) {
        if (anyoneListens) {
            tell(to -> to.atRisk(lock(hold), owner(hold), remaining));
        }
    }

    void lost(Hold hold, LeaseLoss loss) {
        lost.increment();
        if (anyoneListens) {
            tell(to -> to.lost(lock(hold), owner(hold), loss));
        }
    }

    void orphanCleaned(Lane lane) {
        if (anyoneListens) {
            tell(to -> to.orphanCleaned(lane.lock().name(), owners.name(lane.ownerId())));
        }
    }

    void unknownOutcome() {
        unknownOutcomes.increment();
    }

    HoldfastStats stats(long holds, long waiters) {
        return new HoldfastStats(holds, waiters, acquired.sum(), lost.sum(), unknownOutcomes.sum(), renewals.sum());
    }

    private static String lock(Hold hold) {
        return hold.lock().name();
    }

    private String owner(Hold hold) {
        return owners.name(hold.lane().ownerId());
    }

    private void tell(Consumer<LockListener> event) {
        synchronized (events) {
            events.add(event);
            if (telling) {
                return;
            }
            telling = true;
        }
        callbacks.run(this::tellAll, why -> {
            log.warn("The callback executor refuses events for the listener", why);
            tellNobody();
        });
    }

    private void tellAll() {
        for (Consumer<LockListener> event = next(); event != null; event = next()) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                log.warn("The lock listener threw", e);
            }
        }
    }

    private @Nullable Consumer<LockListener> next() {
        synchronized (events) {
            Consumer<LockListener> event = events.poll();
            telling = event != null;
            return event;
        }
    }

    private void tellNobody() {
        synchronized (events) {
            events.clear();
            telling = false;
        }
    }
}
