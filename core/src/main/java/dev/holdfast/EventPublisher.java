package dev.holdfast;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens in a client and publishes it as events to the listeners, to each through its {@link Mailbox}.
 * Without a listener no event is created.
 */
final class EventPublisher {
    private final Counters counters = new Counters();
    private final OwnerIds owners;
    private final Mailbox[] mailboxes;
    private final boolean anyoneListens;

    EventPublisher(List<LockListener> listeners, Callbacks callbacks, OwnerIds owners) {
        this.owners = owners;
        this.mailboxes = listeners.stream()
                .map(listener -> new Mailbox(listener, callbacks, counters))
                .toArray(Mailbox[]::new);
        this.anyoneListens = mailboxes.length > 0;
    }

    /** A hold began. */
    void acquired(Hold hold, Acquisition by) {
        counters.count(Count.ACQUIRED);
        if (hold.isHandedOn()) {
            counters.count(Count.HANDOFFS);
        }
        if (anyoneListens) {
            publish(new LockEvent.Acquired(owners, hold.lock(), ownerId(hold), age(by)));
        }
    }

    /**
     * A call for a lock was settled; a grant is also reported to {@link #acquired}.
     *
     * @param queued whether it waited in the queue
     */
    void completed(Acquisition call, Acquisition.State how, boolean queued) {
        switch (how) {
            case PENDING -> throw new IllegalStateException("what is pending is not settled");
            case GRANTED -> {
                if (queued) {
                    waited(call, WaitOutcome.GRANTED);
                }
            }
            case REFUSED -> {
                if (call.waits()) {
                    counters.count(Count.GIVEN_UP);
                    waited(call, WaitOutcome.TIMED_OUT);
                } else {
                    counters.count(Count.REFUSED);
                    busy(call);
                }
            }
            case ABANDONED -> {
                counters.count(Count.GIVEN_UP);
                waited(call, WaitOutcome.ABANDONED);
            }
            case FAILED -> {
                if (call.entering() == null) {
                    counters.count(Count.FAILED);
                }
                if (queued) {
                    waited(call, WaitOutcome.FAILED);
                }
                failed(call);
            }
        }
    }

    private void waited(Acquisition call, WaitOutcome outcome) {
        if (anyoneListens) {
            publish(new LockEvent.Waited(owners, call.lock(), call.ownerId(), age(call), outcome));
        }
    }

    private void busy(Acquisition call) {
        if (anyoneListens) {
            publish(new LockEvent.Busy(owners, call.lock(), call.ownerId(), age(call)));
        }
    }

    private void failed(Acquisition call) {
        RuntimeException why = call.failure();
        if (anyoneListens && why != null) {
            publish(new LockEvent.Failed(owners, call.lock(), call.ownerId(), age(call), why));
        }
    }

    void released(Hold hold) {
        counters.count(Count.RELEASED);
        if (anyoneListens) {
            publish(new LockEvent.Released(owners, hold.lock(), ownerId(hold), age(hold)));
        }
    }

    void renewed(Hold hold) {
        counters.count(Count.RENEWALS);
        if (anyoneListens) {
            publish(new LockEvent.Renewed(owners, hold.lock(), ownerId(hold), age(hold)));
        }
    }

    void atRisk(Hold hold, Duration remaining) {
        counters.count(Count.AT_RISK);
        if (anyoneListens) {
            publish(new LockEvent.AtRisk(owners, hold.lock(), ownerId(hold), age(hold), remaining));
        }
    }

    void lost(Hold hold, LeaseLoss loss) {
        counters.lost(loss.reason());
        if (anyoneListens) {
            publish(new LockEvent.Lost(owners, hold.lock(), ownerId(hold), loss));
        }
    }

    void orphanReleased(OwnerLane lane) {
        counters.count(Count.ORPHANS_RELEASED);
        if (anyoneListens) {
            publish(new LockEvent.OrphanReleased(owners, lane.lock(), lane.ownerId()));
        }
    }

    void unknownOutcome() {
        counters.count(Count.UNKNOWN_OUTCOMES);
    }

    /** A connection was lost; {@link #deliver} must follow. */
    void noteDisconnected(ConnectionRole role, @Nullable Throwable why) {
        put(new ConnectionEvent.Disconnected(owners.clientId(), role, why));
    }

    /** A connection was re-established; {@link #deliver} must follow. */
    void noteReconnected(ConnectionRole role, Duration outage) {
        counters.count(Count.RECONNECTS);
        put(new ConnectionEvent.Reconnected(owners.clientId(), role, outage));
    }

    HoldfastStats stats(long holds, long waiters) {
        return counters.stats(holds, waiters);
    }

    private static long ownerId(Hold hold) {
        return hold.lane().ownerId();
    }

    private static Duration age(Hold hold) {
        return Duration.ofNanos(hold.lane().engine().now() - hold.sinceNanos());
    }

    private static Duration age(Acquisition call) {
        return Duration.ofNanos(call.engine().now() - call.startNanos());
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
    void deliver() {
        for (Mailbox mailbox : mailboxes) {
            mailbox.deliver();
        }
    }
}
