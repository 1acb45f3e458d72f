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

    /** The number of levels that no caller wants, and whose release waits in the lane. */
    private int unwanted;

    /** Null while every level was acquired with a watched lease. */
    private @Nullable ExplicitLevels explicitLevels;

    /** The longest lease of a level with an explicit one, in milliseconds; 0 while there is none. */
    private long longestExplicitMillis;

    /** What reads under it, if it is a write hold; null if nothing has. Written under the lane. */
    volatile @Nullable Downgradable reads;

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

    /** No caller wants one of the levels: its release is about to be submitted. */
    final void noteUnwanted() {
        synchronized (lane) {
            unwanted++;
        }
    }

    /** That release runs. */
    final void takeUnwanted() {
        synchronized (lane) {
            unwanted--;
        }
    }

    /** {@return whether there is a level that a caller wants} */
    final boolean isWanted() {
        synchronized (lane) {
            return levels > unwanted;
        }
    }

    /** {@return whether a level was acquired with a watched lease, so that the hold is renewed} */
    public final boolean isWatched() {
        synchronized (lane) {
            return explicitLevels == null || !explicitLevels.areAll();
        }
    }

    /**
     * Its owner reads, for as long as it has this hold and when that has been released.
     *
     * @return false if its last level is being released
     */
    public final boolean readUnder(Downgradable reading) {
        synchronized (lane) {
            if (levels > 0) {
                reads = reading;
            }
            return levels > 0;
        }
    }

    /** {@return the lease of a hold that is to take the place of this one, with as many levels} */
    final LeaseRequest leaseOfAll(LeaseRequest watched) {
        synchronized (lane) {
            return isWatched() ? watched : new LeaseRequest(false, longestExplicitMillis);
        }
    }

    /** Removes all levels, which are released together. */
    final void removeAll() {
        synchronized (lane) {
            levels = 0;
            explicitLevels = null;
        }
    }

    /** Has so many levels: it was granted in the place of a hold that had them, or is lost with them. */
    final void setLevels(int number, LeaseRequest ofEach) {
        synchronized (lane) {
            levels = number;
            explicitLevels = ofEach.watched() ? null : new ExplicitLevels(0);
            for (int i = 0; i < number && explicitLevels != null; i++) {
                newestLevel++;
                explicitLevels.add(newestLevel, true);
            }
        }
    }

    private void noteNewest(LeaseRequest lease) {
        if (!lease.watched()) {
            longestExplicitMillis = Math.max(longestExplicitMillis, lease.millis());
        }
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
