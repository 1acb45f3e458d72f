package dev.holdfast.campaign.schedule;

import java.util.List;

/**
 * The theme of a round. It is part of the round's seed, so the seed alone determines the round: seeds of general rounds
 * have up to nine digits, those of other rounds begin with the number of the theme.
 */
public enum Theme {
    /** Actors of many kinds at up to three locks, and six faults. */
    GENERAL,
    /**
     * Threads of one client pass a lock on by handoffs, and no other client waits: all others call {@code tryLock()} in
     * a loop, in the same client, in another one and in Redisson.
     */
    POLLERS,
    /** Acquires with long leases are abandoned while in progress, and the same owners request short ones at once. */
    GIVEN_UP,
    /** The plain and the fenced lock of one name, used by different owners of one client. */
    MIXED,
    /** The same, used by one owner: a holder of one of them requests the other. */
    CROSSED,
    /** The subscriptions of a client are cut while its threads pass a lock on, and those of another client wait. */
    UNSUBSCRIBED,
    /** A thread that acquires by handles and does not await releases, beside a client that does. */
    UNAWAITED,
    /** Callbacks of futures hold locks, and block on other futures of their client. */
    CALLBACKS,
    /**
     * Clients are closed while acquisitions wait: by their own callbacks, beside a blocked callback, by an interrupted
     * thread.
     */
    CLOSED,
    /** Redis users without some rights, and one that loses its right to a key while locks are held. */
    FEW_RIGHTS,
    /**
     * Some twenty clients of one thread each stand in line for a lock, while clients are killed, stopped and cut off
     * and grants are lost.
     */
    CROWD,
    /** The locks are on a cluster, whose masters are replaced and killed, and whose slots are moved. */
    CLUSTER,
    /** The locks are on a master under sentinels, which replace it on request and when it is killed. */
    SENTINEL,
    /**
     * Multi-locks beside plain locks of the same names, one of which is held for most of the time, while clients are
     * closed.
     */
    TOGETHER,
    /** Any free segment of a segmented lock, beside plain locks of the segments, in some rounds far from Redis. */
    SEGMENTS,
    /** Locks that stay busy after their holders have closed them, while replies, keys and data are lost. */
    KEPT_BUSY,
    /**
     * Rounds of other themes in which half of the Holdfast clients are of an earlier build. Played only if a run is given
     * one.
     */
    VERSIONS,
    /**
     * A fair lock, for which clients with different numbers of owners wait, while clients are killed, stopped and cut off and
     * grants are lost.
     */
    FAIR,
    /** Read-write locks, with faults of all kinds, in some rounds beside Redisson's of the same names. */
    READ_WRITE,
    /** The same on a cluster, as in {@link #CLUSTER}. */
    READ_WRITE_CLUSTER,
    /** The same under sentinels, as in {@link #SENTINEL}. */
    READ_WRITE_SENTINEL,
    /** Latches that several clients set, count down and await, with faults of all kinds. */
    LATCHES,
    /** The same under sentinels, as in {@link #SENTINEL}. */
    LATCHES_SENTINEL,
    /** Semaphores, also used with two limits at once and by requests for all permits, with faults of all kinds. */
    SEMAPHORE,
    /** The same on a cluster, as in {@link #CLUSTER}. */
    SEMAPHORE_CLUSTER,
    /** The same under sentinels, as in {@link #SENTINEL}. */
    SEMAPHORE_SENTINEL,
    /** Latches on a cluster, as in {@link #CLUSTER}. */
    LATCHES_CLUSTER,
    /** Bounded buffers, guarded by locks with conditions, with faults of all kinds. */
    CONDITIONS,
    /** The same on a cluster, as in {@link #CLUSTER}. */
    CONDITIONS_CLUSTER,
    /** The same under sentinels, as in {@link #SENTINEL}. */
    CONDITIONS_SENTINEL;

    private static final long SEEDS = Dice.SEEDS;

    /**
     * {@return the theme of the round of this seed}
     *
     * @throws IllegalArgumentException if the seed has no theme
     */
    public static Theme of(long seed) {
        long number = seed / SEEDS;
        if (seed < 0 || number >= Numbered.THEMES.size()) {
            throw new IllegalArgumentException("the seed of a round must be from 0 to "
                    + (Numbered.THEMES.size() * SEEDS - 1) + ", which determines the theme, was " + seed);
        }
        return Numbered.THEMES.get((int) number);
    }

    /** {@return whether the locks are read-write locks} */
    public boolean isReadWrite() {
        return this == READ_WRITE || this == READ_WRITE_CLUSTER || this == READ_WRITE_SENTINEL;
    }

    /** {@return whether the locks are on a cluster} */
    public boolean isOnCluster() {
        return this == CLUSTER
                || this == READ_WRITE_CLUSTER
                || this == SEMAPHORE_CLUSTER
                || this == LATCHES_CLUSTER
                || this == CONDITIONS_CLUSTER;
    }

    /** {@return whether the locks are on a master under sentinels} */
    public boolean isUnderSentinels() {
        return this == SENTINEL
                || this == READ_WRITE_SENTINEL
                || this == LATCHES_SENTINEL
                || this == SEMAPHORE_SENTINEL
                || this == CONDITIONS_SENTINEL;
    }

    /** {@return whether there are latches, and no locks} */
    public boolean isOfLatches() {
        return this == LATCHES || this == LATCHES_CLUSTER || this == LATCHES_SENTINEL;
    }

    /** {@return whether there are semaphores, and no locks} */
    public boolean isOfSemaphores() {
        return this == SEMAPHORE || this == SEMAPHORE_CLUSTER || this == SEMAPHORE_SENTINEL;
    }

    /** {@return whether the locks guard bounded buffers} */
    public boolean isOfConditions() {
        return this == CONDITIONS || this == CONDITIONS_CLUSTER || this == CONDITIONS_SENTINEL;
    }

    /** {@return the seed of a round of this theme} */
    long seed(long drawn) {
        return (long) Numbered.THEMES.indexOf(this) * SEEDS + drawn;
    }

    /** The themes in the order of their numbers. */
    private static final class Numbered {
        private static final List<Theme> THEMES = List.of(values());
    }
}
