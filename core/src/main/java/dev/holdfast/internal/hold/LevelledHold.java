package dev.holdfast.internal.hold;

import org.jspecify.annotations.Nullable;

/**
 * The levels of a {@link Hold}, and whether its lease is watched. Guarded by the hold's lane: the owner's commands, which
 * run there one at a time, enter and leave the levels.
 */
abstract class LevelledHold extends HoldInRedis {
    private final Object lane;

    /** The number of levels not yet released. */
    private int levels = 1;

    /** The number of the newest level that was ever entered; the first one has 1. */
    private long newestLevel = 1;

    /** Null while every level was acquired with a watched lease. */
    private @Nullable ExplicitLevels explicitLevels;

    /**
     * @param lane the monitor that guards the levels
     * @param requestedUntilNanos the end of the lease that the granting command requests
     */
    LevelledHold(Object lane, LeaseRequest ofFirst, long requestedUntilNanos) {
        super(requestedUntilNanos);
        this.lane = lane;
        noteNewest(ofFirst);
    }

    public final int levels() {
        synchronized (lane) {
            return levels;
        }
    }

    /** {@return the number by which {@link #removeLevel} knows the level that was entered last} */
    public final long newestLevel() {
        synchronized (lane) {
            return newestLevel;
        }
    }

    /** {@return whether the lease is watched, now that there is this level} */
    final boolean addLevel(LeaseRequest lease) {
        synchronized (lane) {
            levels++;
            newestLevel++;
            noteNewest(lease);
            return isWatched();
        }
    }

    /**
     * Removes a level and its lease policy.
     *
     * @param number of the level; if that was removed before, or is larger than any, of the next older one
     * @return whether there is a level left
     */
    final boolean removeLevel(long number) {
        synchronized (lane) {
            if (explicitLevels != null) {
                explicitLevels.remove(number);
            }
            levels--;
            return levels > 0;
        }
    }

    /** {@return whether a level was acquired with a watched lease, so that the hold is renewed} */
    final boolean isWatched() {
        synchronized (lane) {
            return explicitLevels == null || !explicitLevels.areAll();
        }
    }

    private void noteNewest(LeaseRequest lease) {
        ExplicitLevels explicit = explicitLevels;
        if (explicit == null && !lease.watched()) {
            explicit = new ExplicitLevels(levels - 1);
            explicitLevels = explicit;
        }
        if (explicit != null) {
            explicit.add(newestLevel, !lease.watched());
        }
    }
}
