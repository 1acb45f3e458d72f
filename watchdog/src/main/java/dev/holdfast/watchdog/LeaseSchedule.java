package dev.holdfast.watchdog;

import static dev.holdfast.watchdog.LeaseRule.NEVER;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kept leases, ordered by the time when each is next due, over one deadline of the caller's {@link Deadlines}.
 * Adding, moving and removing a lease are operations on a heap of the keeper's own, under the lock that the keeper has
 * taken anyway.
 *
 * <p>While any lease is kept, the one deadline also triggers the clock comparison once a second. So it is nearly always
 * scheduled for a time before a new lease is due, and short holds beside other holds never touch the deadlines at all.
 * When the last lease is removed, the deadline is cancelled.
 *
 * <p>Guarded by the keeper's lock, except for the sweep, which takes it.
 */
final class LeaseSchedule<S extends LeaseSubject> extends Deadline {
    private static final long COMPARISON_NANOS = Duration.ofSeconds(1).toNanos();

    private final LeaseKeeper<S> keeper;
    private final DeadlineHeap<LeaseLife<S>> leases = new DeadlineHeap<>();

    /** When this deadline is scheduled. Meaningless during a sweep; set at the end of the sweep. */
    private long wakeAt = NEVER;

    private long nextComparison = NEVER;

    /** The time of the last sweep; a lease that is scheduled now comes after it, so that a sweep ends. */
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

    /** Called before the first lease is added. */
    void open(long now) {
        nextComparison = now + COMPARISON_NANOS;
        wakeBy(nextComparison);
    }

    /** Schedules the lease for that time, in place of any earlier schedule. */
    void move(LeaseLife<S> lease, long at) {
        long later = Math.max(at, sweptTo + 1);
        leases.put(lease, later);
        wakeBy(later);
    }

    /** Removes the lease; no reference to it remains. */
    void leave(LeaseLife<S> lease) {
        leases.remove(lease);
        if (leases.size() == 0) {
            keeper.deadlines.cancel(this);
            wakeAt = NEVER;
        }
    }

    /** Ensures a sweep at that time at the latest. */
    void wakeBy(long at) {
        if (at < wakeAt && !sweeping) {
            wakeAt = at;
            keeper.deadlines.schedule(this, keeper.clock.nanoTime(at));
        }
    }

    /**
     * Processes all leases that are due together, and then sends requests for them together. All other deadlines wait
     * for that; so when half a tick has passed, the remaining leases are left to the next tick.
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

    /** True when the clock has detected a suspend. */
    private boolean beginSweep() {
        keeper.lock.lock();
        try {
            sweeping = true;
            sweptTo = keeper.clock.now();
            if (sweptTo < nextComparison) {
                return false;
            }
            nextComparison = sweptTo + COMPARISON_NANOS;
            return keeper.clock.compareClocks();
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
                wakeBy(Math.min(first.at, nextComparison));
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
