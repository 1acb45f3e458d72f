package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.List;

/**
 * When and where those come who are started by a clock, as jobs are: all at about the same time, and to the same lock. From one lock they go to
 * the next, so that when they come back nobody listens there any more. Whoever misses something is alone with it until then.
 *
 * @param every from one beat to the next; zero if each comes when and where it likes
 * @param locks in the order in which they are visited
 */
public record Beat(Duration every, List<String> locks) {
    /** Of a rest. What is left comes in the time of a visit or two, so that some come when others are about to leave. */
    private static final int SPREAD = 20;

    /** {@return the beat that nobody follows} */
    public static Beat none() {
        return new Beat(Duration.ZERO, List.of());
    }

    /** {@return whether somebody follows it} */
    public boolean isThere() {
        return !every.isZero();
    }

    /** {@return the turn, where it is to be had at this time of the monotonic clock} */
    public Turn place(Turn turn, long now) {
        if (!isThere()) {
            return turn;
        }
        long nearest = Math.floorDiv(now + every.toNanos() / 2, every.toNanos());
        return turn.at(locks.get(Math.floorMod(nearest, locks.size())));
    }

    /** {@return how long who has had the turn rests from this time on} */
    public Duration rest(Turn turn, long now) {
        if (!isThere()) {
            return turn.rest();
        }
        return every.minusNanos(Math.floorMod(now, every.toNanos()))
                .plus(turn.rest().dividedBy(SPREAD));
    }
}
