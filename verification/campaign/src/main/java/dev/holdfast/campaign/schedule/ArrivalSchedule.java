package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.List;

/**
 * A common schedule of arrivals, like that of jobs started by a clock: all actors arrive at about the same time, at the
 * same lock. They use the locks in turn, so when they return to one, no client is subscribed to its channel any more. A
 * wake-up that is missed is then not made up for until the next arrival.
 *
 * @param every the time between two arrivals; zero if each actor arrives by its own turns
 * @param locks in the order in which they are used
 */
public record ArrivalSchedule(Duration every, List<String> locks) {
    /**
     * The divisor of an actor's rest after a common arrival. The remaining differences are as long as a turn or two, so
     * that some actors arrive when others are about to release.
     */
    private static final int SPREAD = 20;

    /** {@return no common schedule: each actor arrives by its own turns} */
    public static ArrivalSchedule none() {
        return new ArrivalSchedule(Duration.ZERO, List.of());
    }

    /** {@return whether there is a common schedule} */
    public boolean isThere() {
        return !every.isZero();
    }

    /** {@return the turn, moved to the lock of the arrival that is nearest to this time of the monotonic clock} */
    public Turn place(Turn turn, long now) {
        if (!isThere()) {
            return turn;
        }
        long nearest = Math.floorDiv(now + every.toNanos() / 2, every.toNanos());
        return turn.at(locks.get(Math.floorMod(nearest, locks.size())));
    }

    /** {@return how long an actor rests from this time on, after this turn} */
    public Duration rest(Turn turn, long now) {
        if (!isThere()) {
            return turn.rest();
        }
        return every.minusNanos(Math.floorMod(now, every.toNanos()))
                .plus(turn.rest().dividedBy(SPREAD));
    }
}
