package dev.holdfast.campaign.schedule;

import dev.holdfast.campaign.schedule.Turn.Way;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What an actor does, turn after turn, without end. Not safe for use by several threads. */
public final class Turns {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONG_REST = Duration.ofSeconds(1);
    private static final Duration QUIET_WORK = Duration.ofMillis(50);

    /** Longer than it takes to enter again, or to leave. */
    private static final Duration ROUND_TRIPS = Duration.ofMillis(2);

    /** Mostly the lock is waited for: that is where the difficulties are. */
    private static final List<Way> WAYS =
            List.of(Way.LOCK, Way.LOCK, Way.LOCK_INTERRUPTIBLY, Way.TRY, Way.TRY_WAIT, Way.TRY_WAIT);

    /** Where a lock is free at times, it is worth a try. */
    private static final List<Way> QUIET_WAYS =
            List.of(Way.LOCK, Way.LOCK_INTERRUPTIBLY, Way.TRY, Way.TRY, Way.TRY, Way.TRY_WAIT);

    private final Dice dice;
    private final RoundPlan plan;

    Turns(Dice dice, RoundPlan plan) {
        this.dice = dice;
        this.plan = plan;
    }

    /** {@return what it does next} */
    public Turn next() {
        String lock = dice.oneOf(plan.locks());
        Way way = dice.oneOf(plan.isQuiet() ? QUIET_WAYS : WAYS);
        Duration wait = dice.chance(50) ? dice.upTo(millis(20)) : dice.upTo(plan.watchdogTimeout());
        boolean explicit = dice.chance(40);
        boolean overstays = dice.chance(3);
        Duration lease = overstays ? dice.between(SHORTEST_LEASE, millis(400)) : lease();
        int levels = dice.chance(25) ? 2 + dice.below(2) : 1;
        Duration work = overstays ? lease.multipliedBy(13).dividedBy(10) : work();
        Optional<Duration> patience = dice.chance(15) ? Optional.of(patience()) : Optional.empty();
        Optional<Duration> interruption = dice.chance(20) ? Optional.of(moment(work)) : Optional.empty();
        Optional<Duration> extension = dice.chance(10) ? Optional.of(lease()) : Optional.empty();
        boolean inspects = dice.chance(20);
        return new Turn(
                lock,
                way,
                wait,
                explicit || overstays ? Optional.of(lease) : Optional.empty(),
                levels,
                work,
                patience,
                extension,
                inspects,
                interruption,
                rest());
    }

    /** Some are long: who relies on them to run out will be seen to wait. */
    private Duration lease() {
        return dice.chance(50) ? plan.longestLease() : dice.between(millis(300), plan.watchdogTimeout());
    }

    /** Few stay past the first renewal, since all others wait meanwhile. */
    private Duration work() {
        int kind = dice.below(100);
        if (kind < 1) {
            return dice.between(plan.watchdogTimeout().dividedBy(4), plan.watchdogTimeout());
        }
        if (plan.isQuiet()) {
            return dice.upTo(QUIET_WORK);
        }
        return dice.upTo(millis(kind < 10 ? 20 : 3));
    }

    private Duration patience() {
        return dice.chance(60) ? dice.upTo(millis(5)) : dice.upTo(millis(500));
    }

    /** Entering again comes first and leaving last, and what is done in between may be long. */
    private Duration moment(Duration work) {
        return dice.chance(50) ? dice.upTo(ROUND_TRIPS) : dice.upTo(work.plus(ROUND_TRIPS));
    }

    private Duration rest() {
        if (plan.isQuiet()) {
            return dice.upTo(LONG_REST);
        }
        return dice.chance(60) ? Duration.ZERO : dice.upTo(millis(30));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
