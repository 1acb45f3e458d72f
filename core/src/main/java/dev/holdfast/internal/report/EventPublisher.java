package dev.holdfast.internal.report;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionRole;
import dev.holdfast.HoldfastEvent;
import dev.holdfast.HoldfastStats;
import dev.holdfast.HoldfastStats.Counter;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.WaitOutcome;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.kind.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens in a client and publishes it as events to the listeners, to each through its {@link Mailbox}.
 * Without a listener no event is created.
 *
 * @see "LockListenerTest, ConnectionEventTest"
 */
public final class EventPublisher {
    private final Counters counters = new Counters();
    private final String clientId;
    private final LongSupplier clock;
    private final Mailbox[] mailboxes;
    private final boolean anyoneListens;

    /** @param clock the time in nanoseconds, as in the methods below */
    public EventPublisher(List<LockListener> listeners, Callbacks callbacks, String clientId, LongSupplier clock) {
        this.clientId = clientId;
        this.clock = clock;
        this.mailboxes = listeners.stream()
                .map(listener -> new Mailbox(listener, callbacks, counters))
                .toArray(Mailbox[]::new);
        this.anyoneListens = mailboxes.length > 0;
    }

    /**
     * A hold began.
     *
     * @param startNanos when the call began
     */
    public void acquired(LockKey lock, long ownerId, long startNanos, boolean handedOff) {
        counters.count(Counter.ACQUIRED);
        if (handedOff) {
            counters.count(Counter.HANDOFFS);
        }
        if (anyoneListens) {
            publish(new LockEvent.Acquired(clientId, lock.name(), lock.type(), ownerId, since(startNanos)));
        }
    }

    /** A call stopped waiting; a grant is also reported to {@link #acquired}, a failure to {@link #failed}. */
    public void waited(LockKey lock, long ownerId, long startNanos, WaitOutcome outcome) {
        if (outcome == WaitOutcome.TIMED_OUT || outcome == WaitOutcome.ABANDONED) {
            counters.count(Counter.GIVEN_UP);
        }
        if (anyoneListens) {
            publish(new LockEvent.Waited(clientId, lock.name(), lock.type(), ownerId, since(startNanos), outcome));
        }
    }

    /** An attempt that does not wait found the lock busy. */
    public void busy(LockKey lock, long ownerId, long startNanos) {
        counters.count(Counter.REFUSED);
        if (anyoneListens) {
            publish(new LockEvent.Busy(clientId, lock.name(), lock.type(), ownerId, since(startNanos)));
        }
    }

    /** Counts a call that ended with an exception; re-entries are not counted. */
    public void countFailed() {
        counters.count(Counter.FAILED);
    }

    /** A call ended with an exception. */
    public void failed(LockKey lock, long ownerId, long startNanos, @Nullable RuntimeException why) {
        if (anyoneListens && why != null) {
            publish(new LockEvent.Failed(clientId, lock.name(), lock.type(), ownerId, since(startNanos), why));
        }
    }

    /**
     * A lock was released in full.
     *
     * @param sinceNanos when the hold began
     */
    public void released(LockKey lock, long ownerId, long sinceNanos) {
        counters.count(Counter.RELEASED);
        if (anyoneListens) {
            publish(new LockEvent.Released(clientId, lock.name(), lock.type(), ownerId, since(sinceNanos)));
        }
    }

    /**
     * The release of a lock in full was not confirmed.
     *
     * @param sinceNanos when the hold began
     */
    public void releaseUnconfirmed(LockKey lock, long ownerId, long sinceNanos, RuntimeException why) {
        counters.count(Counter.RELEASES_UNCONFIRMED);
        if (anyoneListens) {
            publish(new LockEvent.ReleaseUnconfirmed(
                    clientId, lock.name(), lock.type(), ownerId, since(sinceNanos), why));
        }
    }

    public void renewed(LockKey lock, long ownerId, long sinceNanos) {
        counters.count(Counter.RENEWALS);
        if (anyoneListens) {
            publish(new LockEvent.Renewed(clientId, lock.name(), lock.type(), ownerId, since(sinceNanos)));
        }
    }

    public void atRisk(LockKey lock, long ownerId, long sinceNanos, Duration remaining) {
        counters.count(Counter.AT_RISK);
        FlightEvents.leaseAtRisk(lock.name(), clientId, ownerId, remaining);
        if (anyoneListens) {
            publish(new LockEvent.AtRisk(clientId, lock.name(), lock.type(), ownerId, since(sinceNanos), remaining));
        }
    }

    public void lost(LockKey lock, long ownerId, LeaseLoss loss) {
        counters.lost(loss.reason());
        FlightEvents.leaseLost(lock.name(), clientId, ownerId, loss.reason().name(), loss.held());
        if (anyoneListens) {
            publish(new LockEvent.Lost(clientId, lock.name(), lock.type(), ownerId, loss));
        }
    }

    public void orphanReleased(LockKey lock, long ownerId) {
        counters.count(Counter.ORPHANS_RELEASED);
        if (anyoneListens) {
            publish(new LockEvent.OrphanReleased(clientId, lock.name(), lock.type(), ownerId));
        }
    }

    /** A waiter for a condition was woken since a signal may have been lost. */
    public void spuriouslyWoken() {
        counters.count(Counter.SPURIOUS_WAKE_UPS);
    }

    /** A waiter for a condition was woken after a minute. */
    public void wokenAsLastResort() {
        counters.count(Counter.LAST_RESORT_WAKE_UPS);
    }

    public void unknownOutcome() {
        counters.count(Counter.UNKNOWN_OUTCOMES);
    }

    /** A connection was lost; {@link #deliver} must follow. */
    public void noteDisconnected(ConnectionRole role, @Nullable Throwable why) {
        put(new ConnectionEvent.Disconnected(clientId, role, why));
    }

    /** A connection was re-established; {@link #deliver} must follow. */
    public void noteReconnected(ConnectionRole role, Duration outage) {
        counters.count(Counter.RECONNECTS);
        FlightEvents.reconnected(role.name(), clientId, outage);
        put(new ConnectionEvent.Reconnected(clientId, role, outage));
    }

    public HoldfastStats stats(long holds, long waiters) {
        return counters.stats(holds, waiters);
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.getAsLong() - nanos);
    }

    private void publish(HoldfastEvent event) {
        put(event);
        deliver();
    }

    private void put(HoldfastEvent event) {
        for (Mailbox mailbox : mailboxes) {
            mailbox.put(event);
        }
    }

    /** Delivers the events in the mailboxes. */
    public void deliver() {
        for (Mailbox mailbox : mailboxes) {
            mailbox.deliver();
        }
    }
}
