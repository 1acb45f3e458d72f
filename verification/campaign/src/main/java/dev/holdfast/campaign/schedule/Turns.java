package dev.holdfast.campaign.schedule;

import dev.holdfast.campaign.schedule.Turn.Way;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The unlimited sequence of an actor's turns. Not thread-safe. */
public final class Turns {
    /** Where Redis is near. */
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    private static final Duration LONG_REST = Duration.ofSeconds(1);
    private static final Duration QUIET_WORK = Duration.ofMillis(50);

    private static final Duration SHORT_WORK = Duration.ofMillis(2);

    /** Some twenty clients in line have one turn or two in this time, so some waits end shortly before the grant. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(200);

    private static final Duration LATCH_WORK = Duration.ofMillis(1_500);

    private static final Duration LATCH_WAIT = Duration.ofMillis(2_500);

    /** More than the smaller limit. */
    private static final int SOME_PERMITS = 6;

    /** Some actors only read, some only write, and others do both. */
    private static final List<Integer> READS = List.of(100, 90, 50, 0);

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
    /** Of 100 turns at a read-write lock, how many read. */
    private final int reads;
    /** The lock that a wavering actor requests again after it has given up; empty if it has not. */
    private Optional<String> givenUp = Optional.empty();

    Turns(Dice dice, RoundPlan plan, ActorKind kind) {
        this.dice = dice;
        this.plan = plan;
        this.kind = kind;
        this.reads = plan.theme().isReadWrite() ? dice.oneOf(READS) : 0;
    }

    /** {@return the next turn} */
    public Turn next() {
        Turn turn = drawn();
        return reads > 0 && kind != ActorKind.DOWNGRADER && dice.chance(reads) ? turn.reading(true) : turn;
    }

    private Turn drawn() {
        String lock = dice.oneOf(plan.locks());
        return switch (kind) {
            case POLLER -> simple(lock, Way.TRY, Optional.empty(), Optional.empty(), dice.upTo(SHORT_WORK), pause());
            case RESTLESS, RESTLESS_HANDLE ->
                simple(lock, Way.LOCK, Optional.empty(), Optional.empty(), restless(), Duration.ZERO);
            case LASTING -> simple(lock, Way.LOCK, Optional.empty(), Optional.empty(), lasting(), lasting());
            case IMPATIENT ->
                simple(lock, Way.TRY_WAIT, Optional.empty(), Optional.empty(), dice.upTo(SHORT_WORK), Duration.ZERO)
                        .waiting(dice.upTo(SHORT_WAIT));
            case WAVERING, WAVERING_OWNED -> wavering(lock);
            case HOARDER -> hoarding(plan.locks().get(0));
            case KEEPER -> keeping(lock);
            case MULTI, MULTI_HANDLE, MULTI_ASYNC -> several();
            case SEGMENT, SEGMENT_ASYNC -> segment();
            case AWAITER, COUNTER, RESETTER -> latch(lock);
            case PERMITS, PERMITS_ASYNC, PERMITS_POLLER, PERMITS_RESTLESS, ALL_PERMITS -> permits(lock);
            case PRODUCER, CONSUMER -> buffer(lock);
            default -> ordinary(lock);
        };
    }

    /** The work is done before the latch is counted down: most who await it have found a count before. */
    private Turn latch(String name) {
        return simple(name, Way.TRY_WAIT, Optional.empty(), Optional.empty(), dice.upTo(LATCH_WORK), Duration.ZERO)
                .waiting(LATCH_WAIT);
    }

    /**
     * Some waits end before a signal, or about when it is sent. A wait without a limit ends by an interrupt. Few turns have a rest
     * that is so long that others wait for it.
     */
    private Turn buffer(String lock) {
        Duration limit = dice.chance(30) ? dice.upTo(SHORT_WAIT) : RoundPlan.longestAwait(plan.watchdogTimeout());
        Optional<Duration> interrupt = dice.chance(40) ? Optional.of(limit) : Optional.empty();
        Optional<Duration> lease = dice.chance(20) ? Optional.of(lease()) : Optional.empty();
        Duration rest = dice.chance(20) ? dice.upTo(SHORT_WAIT) : pause();
        return simple(lock, Way.LOCK, lease, interrupt, dice.upTo(SHORT_WORK), rest)
                .waiting(limit);
    }

    /**
     * Mostly one permit. Many may be more than there are: all of them, then. Few holds are long, since a request for all
     * waits for each of them, and everybody else for that.
     */
    private Turn permits(String name) {
        return switch (kind) {
            case PERMITS_POLLER ->
                simple(name, Way.TRY, leaseOrNot(), Optional.empty(), dice.upTo(SHORT_WORK), pause());
            case PERMITS_RESTLESS ->
                simple(name, Way.LOCK, Optional.empty(), Optional.empty(), dice.upTo(QUIET_WORK), Duration.ZERO);
            case ALL_PERMITS ->
                simple(name, Way.LOCK, leaseOrNot(), Optional.empty(), dice.upTo(SHORT_WORK), dice.upTo(LONG_REST))
                        .requesting(RoundPlan.MANY_PERMITS);
            default -> {
                Turn drawn = ordinary(name).requesting(dice.chance(60) ? 1 : 1 + dice.below(SOME_PERMITS));
                boolean shortened = drawn.work().compareTo(QUIET_WORK) > 0 && dice.chance(70);
                Turn turn = shortened ? drawn.working(dice.upTo(QUIET_WORK), drawn.lease()) : drawn;
                yield dice.chance(10) ? turn.keeping(Optional.of(keep())) : turn;
            }
        };
    }

    /** At a fair lock, so long that all others together have it for longer than a waiter needs to join the line. */
    private Duration restless() {
        return plan.isFair() ? dice.between(millis(90), millis(120)) : dice.upTo(SHORT_WORK);
    }

    private Turn simple(
            String lock, Way way, Optional<Duration> lease, Optional<Duration> patience, Duration work, Duration rest) {
        return new Turn(
                lock,
                List.of(),
                false,
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
        Duration work = dice.chance(10) ? lease.multipliedBy(13).dividedBy(10) : dice.upTo(SHORT_WORK);
        return simple(same, Way.LOCK, Optional.of(lease), Optional.empty(), work, dice.upTo(millis(20)));
    }

    /**
     * Few calls get the first lock of the round, and each of the others waits for long: some of them for longer than it
     * takes to recover from a fault at their beginning.
     */
    private Turn hoarding(String lock) {
        Duration half = plan.watchdogTimeout().dividedBy(2);
        Duration work = dice.chance(75)
                ? dice.between(half.multipliedBy(6), half.multipliedBy(7))
                : dice.between(half, half.multipliedBy(3));
        return simple(lock, Way.LOCK, Optional.empty(), Optional.empty(), work, dice.upTo(millis(20)));
    }

    /** After each hold, the lock stays busy for a while. Some holds last so long that their release falls into a fault. */
    private Turn keeping(String lock) {
        Way way = dice.chance(50) ? Way.LOCK : Way.TRY;
        Duration rest = way == Way.TRY ? pause() : Duration.ZERO;
        return simple(lock, way, leaseOrNot(), Optional.empty(), workOfKeeper(), rest)
                .keeping(Optional.of(keep()));
    }

    /** Where locks are replicated, no hold begins while replicas are cut off, so that some must begin long before. */
    private Duration workOfKeeper() {
        Duration timeout = plan.watchdogTimeout();
        if (plan.isReplicated()) {
            return dice.between(timeout.dividedBy(5), timeout.multipliedBy(4).dividedBy(5));
        }
        return dice.chance(50) ? dice.upTo(timeout.dividedBy(4)) : dice.upTo(SHORT_WORK);
    }

    /** Two locks or three together, in any order. Some of the waits outlast a fault by much. */
    private Turn several() {
        List<String> locks = dice.shuffled(plan.locks());
        if (plan.hoards() && dice.chance(75)) {
            return outlasting(locks);
        }
        int count = Math.min(locks.size(), 2 + dice.below(2));
        Turn turn = ordinary(locks.get(0)).with(locks.get(0), locks.subList(1, count));
        Duration longWait = plan.watchdogTimeout().multipliedBy(5).dividedBy(2);
        Turn longer = dice.chance(50)
                ? turn.working(longWork(), dice.chance(60) ? Optional.of(plan.longestLease()) : turn.lease())
                : turn;
        return keepingSome(dice.chance(30) ? longer.waiting(dice.upTo(longWait)) : longer);
    }

    /** All of the locks, of which one is held for most of the time, with a wait that outlasts a fault at its beginning. */
    private Turn outlasting(List<String> locks) {
        return simple(locks.get(0), Way.TRY_WAIT, Optional.empty(), Optional.empty(), dice.upTo(SHORT_WORK), pause())
                .with(locks.get(0), locks.subList(1, locks.size()))
                .waiting(dice.between(
                        plan.watchdogTimeout().multipliedBy(11).dividedBy(5),
                        plan.watchdogTimeout().multipliedBy(5).dividedBy(2)));
    }

    /** So long that a holder of several locks is likely to be at work when its client is closed, or one is lost. */
    private Duration longWork() {
        return dice.chance(80) ? dice.upTo(millis(400)) : dice.upTo(plan.watchdogTimeout());
    }

    /** Any segment, or any but one. */
    private Turn segment() {
        List<String> segments = dice.shuffled(plan.segments());
        int view = segments.size() > 1 && dice.chance(40) ? segments.size() - 1 : segments.size();
        return keepingSome(ordinary(Schedule.SEGMENTED).with(Schedule.SEGMENTED, segments.subList(0, view)));
    }

    /** Only a handle can be closed after a delay. */
    private Turn keepingSome(Turn turn) {
        return kind != ActorKind.MULTI && dice.chance(25) ? turn.keeping(Optional.of(keep())) : turn;
    }

    private Optional<Duration> leaseOrNot() {
        return dice.chance(40) ? Optional.of(lease()) : Optional.empty();
    }

    /** Mostly short; the long ones outlast the lease that a hold had before, or what a command may take. */
    private Duration keep() {
        if (plan.theme() == Theme.KEPT_BUSY && dice.chance(60)) {
            return dice.between(
                    plan.watchdogTimeout().dividedBy(2),
                    plan.watchdogTimeout().multipliedBy(11).dividedBy(10));
        }
        return dice.chance(plan.isReplicated() && kind == ActorKind.KEEPER ? 60 : 3)
                ? dice.between(plan.longestKeep().multipliedBy(2).dividedBy(3), plan.longestKeep())
                : dice.between(millis(1), millis(60));
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
        Duration lease = overstays ? dice.between(shortestLease(), millis(400)) : lease();
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
                List.of(),
                mixed || (crossed && dice.chance(50)),
                crossed && dice.chance(50),
                false,
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
                Optional.empty(),
                rest());
    }

    /** Longer than a command and its reply take: a grant is not used whose lease has ended before it is known. */
    private Duration shortestLease() {
        return SHORTEST_LEASE.plus(plan.distance().multipliedBy(2));
    }

    /**
     * Half of the explicit leases are long: a waiter that relies on their end waits so long that the rules detect it.
     */
    private Duration lease() {
        return dice.chance(50) ? plan.longestLease() : dice.between(millis(300), plan.watchdogTimeout());
    }

    /** Few turns last beyond the first renewal, since all other actors wait for their end. */
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
