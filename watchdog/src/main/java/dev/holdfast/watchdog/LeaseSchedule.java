package dev.holdfast.watchdog;

import static dev.holdfast.watchdog.LeaseRule.NEVER;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leases being kept, by when each is next to be looked after, over one deadline of the caller's {@link Deadlines}: to
 * enter, to move and to leave is work in a heap of the keeper's own, under the lock that the keeper has taken anyway.
 *
 * <p>The one deadline also beats for the clock once a second while anything is kept. So it is nearly always set to a time
 * before a new lease is due, and short holds beside others never touch the deadlines at all. When the last lease leaves,
 * it is taken back.
 *
 * <p>Guarded by the keeper's lock, except for the sweep, which takes it.
 */
final class LeaseSchedule<S extends LeaseSubject> extends Deadline {
    private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

    private final LeaseKeeper<S> keeper;
    private final DeadlineHeap<LeaseLife<S>> leases = new DeadlineHeap<>();

    /** When this is scheduled. Of no meaning during a sweep, at whose end it is set. */
    private long wakeAt = NEVER;

    private long nextBeat = NEVER;

    /** The time of the last sweep; what is scheduled now comes after it, so a sweep ends. */
    private long sweptTo = Long.MIN_VALUE;

    private boolean sweeping;

    LeaseSchedule(LeaseKeeper<S> keeper) {
        this.keeper = keeper;
    }

    int size() {
        return leases.size();
    }

    List<LeaseLife<S>> toList() {
        return leases.toList();
    }

    /** Before the first lease enters. */
    void open(long now) {
        nextBeat = now + BEAT_NANOS;
        wakeBy(nextBeat);
    }

    /** Looks after the lease at that time and no earlier one. */
    void move(LeaseLife<S> lease, long at) {
        long later = Math.max(at, sweptTo + 1);
        leases.put(lease, later);
        wakeBy(later);
    }

    /** Nothing of the lease stays. */
    void leave(LeaseLife<S> lease) {
        leases.remove(lease);
        if (leases.size() == 0) {
            keeper.deadlines.cancel(this);
            wakeAt = NEVER;
        }
    }

    /** Sweeps at that time at the latest. */
    void wakeBy(long at) {
        if (at < wakeAt && !sweeping) {
            wakeAt = at;
            keeper.deadlines.schedule(this, keeper.clock.nanoTime(at));
        }
    }

    /**
     * All that are due together are looked after, and then asked about together. But whatever else has deadlines waits
     * meanwhile; so when half a tick has gone, the rest is left to the next.
     */
    @Override
    protected void expired() {
        boolean suspended = beginSweep();
        try {
            for (LeaseLife<S> due = firstDue(); due != null; due = firstDue()) {
                due.fallDue();
            }
        } finally {
            endSweep();
        }
        keeper.swept(suspended);
    }

    /** True when the clock has noticed a suspend. */
    private boolean beginSweep() {
        keeper.lock.lock();
        try {
            sweeping = true;
            sweptTo = keeper.clock.now();
            if (sweptTo < nextBeat) {
                return false;
            }
            nextBeat = sweptTo + BEAT_NANOS;
            return keeper.clock.beat();
        } finally {
            keeper.lock.unlock();
        }
    }

    private @Nullable LeaseLife<S> firstDue() {
        keeper.lock.lock();
        try {
            LeaseLife<S> first = leases.first();
            if (first == null || first.at > sweptTo) {
                return null;
            }
            return keeper.clock.now() - sweptTo > keeper.deadlines.tickNanos() / 2 ? null : first;
        } finally {
            keeper.lock.unlock();
        }
    }

    private void endSweep() {
        keeper.lock.lock();
        try {
            sweeping = false;
            wakeAt = NEVER;
            LeaseLife<S> first = leases.first();
            if (first != null) {
                wakeBy(Math.min(first.at, nextBeat));
            }
        } finally {
            keeper.lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "the watchdog";
    }
}
