package dev.holdfast.campaign.schedule;

import java.util.List;

/**
 * What a round is about. It is part of the round's seed, so that the seed alone says what is played: the seeds of general rounds
 * have up to nine digits, and those of the others begin with the number of the theme.
 */
public enum Theme {
    /** All kinds of actors at some locks, and six faults. */
    GENERAL,
    /**
     * Threads of one client hand a lock on from one to the next, and nobody else waits: all others call {@code tryLock()} in a loop,
     * in the same client, in another one, and in Redisson.
     */
    POLLERS,
    /** Long leases are given up while they are acquired, and the same owners ask for short ones right after. */
    GIVEN_UP,
    /** The plain and the fenced lock of one name, used by different owners of one client. */
    MIXED,
    /** The same, by one owner: who holds one of them asks for the other. */
    CROSSED,
    /** Only the subscriptions of a client are cut, while its threads hand a lock on, and those of another client wait. */
    UNSUBSCRIBED,
    /** A thread that acquires by handles and does not await releases, beside a client that does. */
    UNAWAITED,
    /** Callbacks of futures work in the lock, and block on other futures of their client. */
    CALLBACKS,
    /** Clients are closed while acquisitions wait: from their own callbacks, beside blocked ones, by interrupted threads. */
    CLOSED,
    /** Redis users without some commands, and one that loses a key while others hold locks. */
    FEW_RIGHTS;

    private static final long SEEDS = Dice.SEEDS;

    /**
     * {@return the theme of the round of this seed}
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Theme of(long seed) {
        long number = seed / SEEDS;
        if (seed < 0 || number >= Numbered.THEMES.size()) {
            throw new IllegalArgumentException("the seed of a round must be from 0 to "
                    + (Numbered.THEMES.size() * SEEDS - 1) + ", which says its theme, was " + seed);
        }
        return Numbered.THEMES.get((int) number);
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
