package dev.holdfast;

/**
 * How often the stack trace of an acquisition is recorded, in case its {@link Lease} is dropped without {@code close}.
 * A warning about a dropped lease is logged in any case, when it would be renewed after it was garbage-collected, or
 * when it is lost; this setting decides whether the warning can show where the lease was acquired. A lease that is
 * still referenced, for example by an action attached to its {@link Lease#lost()}, is not dropped.
 */
public enum LeakTracking {
    /** No acquisition is recorded, at no cost. */
    OFF,
    /** One acquisition in a hundred, at random: a leak that recurs shows its place before long. */
    SAMPLED,
    /**
     * Every acquisition, at a few microseconds and some hundred bytes for each lease: for tests, and to find a known
     * leak.
     */
    EVERY
}
