package dev.holdfast.campaign.schedule;

import dev.holdfast.campaign.schedule.Turn.Way;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The unlimited sequence of an actor's turns. Not thread-safe. */
public final class Turns {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONG_REST = Duration.ofSeconds(1);
    private static final Duration QUIET_WORK = Duration.ofMillis(50);

    private static final Duration MOMENT = Duration.ofMillis(2);

    /** Some twenty clients in line have one turn or two in this time, so some waits end shortly before the grant. */
    private static final Duration IMPATIENCE = Duration.ofMillis(200);

    /** Longer than a re-entry or a release takes. */
    private static final Duration ROUND_TRIPS = Duration.ofMillis(2);

    /** Most turns wait for the lock, since most defects concern waiting. */
    private static final List<Way> WAYS =
            List.of(Way.LOCK, Way.LOCK, Way.LOCK_INTERRUPTIBLY, Way.TRY, Way.TRY_WAIT, Way.TRY_WAIT);

    /** In a quiet round a lock is free at times, so that more turns only try. */
    private static final List<Way> QUIET_WAYS =
            List.of(Way.LOCK, Way.LOCK_INTERRUPTIBLY, Way.TRY, Way.TRY, Way.TRY, Way.TRY_WAIT);

    private final Dice dice;
    private final RoundPlan plan;
    private final ActorKind kind;
    /** The lock that a wavering actor requests again after it has given up; empty if it has not. */
    private Optional<String> givenUp = Optional.empty();

    Turns(Dice dice, RoundPlan plan, ActorKind kind) {
        this.dice = dice;
        this.plan = plan;
        this.kind = kind;
    }

    /** {@return the next turn} */
    public Turn next() {
        String lock = dice.oneOf(plan.locks());
        return switch (kind) {
            case POLLER -> simple(lock, Way.TRY, Optional.empty(), Optional.empty(), dice.upTo(MOMENT), pause());
            case RESTLESS, RESTLESS_HANDLE ->
                simple(lock, Way.LOCK, Optional.empty(), Optional.empty(), dice.upTo(MOMENT), Duration.ZERO);
            case LASTING -> simple(lock, Way.LOCK, Optional.empty(), Optional.empty(), lasting(), lasting());
            case IMPATIENT ->
                simple(lock, Way.TRY_WAIT, Optional.empty(), Optional.empty(), dice.upTo(MOMENT), Duration.ZERO)
                        .waiting(dice.upTo(IMPATIENCE));
            case WAVERING, WAVERING_OWNED -> wavering(lock);
            default -> ordinary(lock);
        };
    }

    private Turn simple(
            String lock, Way way, Optional<Duration> lease, Optional<Duration> patience, Duration work, Duration rest) {
        return new Turn(
                lock,
                false,
                false,
                false,
                way,
                Duration.ZERO,
                lease,
                1,
                work,
                patience,
                Optional.empty(),
                lease.isPresent() && patience.isEmpty(),
                Optional.empty(),
                rest);
    }

    /**
     * First a long lease, which is given up while it is acquired; then at once a short one for the same lock. Its
     * holder inspects the lock, and in some turns works beyond the end of the lease.
     */
    private Turn wavering(String lock) {
        if (givenUp.isEmpty()) {
            givenUp = Optional.of(lock);
            Optional<Duration> patience =
                    Optional.of(dice.upTo(ROUND_TRIPS.plus(plan.distance().multipliedBy(2))));
            return simple(
                    lock,
                    Way.LOCK_INTERRUPTIBLY,
                    Optional.of(plan.longestLease()),
                    patience,
                    Duration.ZERO,
                    Duration.ZERO);
        }
        String same = givenUp.get();
        givenUp = Optional.empty();
        Duration lease = dice.between(millis(300), millis(600));
        Duration work = dice.chance(10) ? lease.multipliedBy(13).dividedBy(10) : dice.upTo(MOMENT);
        return simple(same, Way.LOCK, Optional.of(lease), Optional.empty(), work, dice.upTo(millis(20)));
    }

    /** Longer than it takes until a hold is renewed. */
    private Duration lasting() {
        return dice.between(
                plan.watchdogTimeout().dividedBy(3), plan.watchdogTimeout().dividedBy(2));
    }

    /** The pause between two attempts of a poller. */
    private Duration pause() {
        return dice.between(millis(1), millis(3));
    }

    private Turn ordinary(String lock) {
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
        boolean mixed = plan.theme() == Theme.MIXED;
        boolean crossed = plan.theme() == Theme.CROSSED;
        return new Turn(
                lock,
                mixed || (crossed && dice.chance(50)),
                crossed && dice.chance(50),
                crossed,
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

    /**
     * Half of the explicit leases are long: a waiter that relies on their end waits so long that the rules detect it.
     */
    private Duration lease() {
        return dice.chance(50) ? plan.longestLease() : dice.between(millis(300), plan.watchdogTimeout());
    }

    /** Few turns last beyond the first renewal, since all other actors wait meanwhile. */
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

    /**
     * Half of the interrupts come soon after the grant, when re-entries are in progress; the others at any time until
     * the releases, however long the work is.
     */
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
